import { setTimeout } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page, Response } from 'playwright-core';
import { consoleLink } from '../../local/run/console-link.ts';
import { signInOwner } from '../../local/run/owner.ts';
import { openSample } from '../../local/run/sample.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { authorize } from '../support/oauth/form-browser.ts';
import { mailsAt, PASSWORD } from '../support/oauth/people.ts';
import { anIssuer } from '../support/oauth/jwt-issuer.ts';
import type { McpClient } from '../support/mcp/mcp-clients.ts';
import { anApplication, letIn, SDKS } from '../support/oauth/oauth-sdk-clients.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';
import { inOrder } from '../support/story.ts';

const inChromium = hasChromium ? describe : describe.skip;

const step = inOrder();

inChromium('who may call, and what acts for whom, in the console', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: Person;
  let console: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([
      startWholeService({ active_deployments_per_user: 10 }),
      launchChromium(),
    ]);
    owner = await service.person();
    console = await openConsole(service, chromium);
    page = console.page;
    await console.signIn(owner);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  /** Ends what stands beside the button, and agrees to what is asked first. */
  const confirm = async (action: string): Promise<void> => {
    await console.press(action);
    await page.getByRole('dialog').getByRole('button', { name: action }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  const statusWith = async (url: string, token: string): Promise<number> => {
    const answer = await service.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    return answer.status;
  };

  step('a token is minted, shown this once, and refused as soon as it is ended', async () => {
    const { slug, messagesUrl } = await service.publish(owner, { authMethod: 'jwt' });
    await console.open(`/servers/${slug}/access`);
    await page.getByLabel('What it is for').fill('nightly report');
    await console.press('Create a token');
    await page.getByText('Copy it now: it is shown this once.').waitFor();
    const token = await page.getByLabel('The token', { exact: true }).innerText();

    expect(await statusWith(messagesUrl, token)).toBe(200);
    expect(await consoleFaults(page)).toEqual({});
    expect(
      await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })'),
    ).not.toContain(token);

    await page.reload();
    await page.getByText('nightly report').waitFor();
    expect(await page.content()).not.toContain(token);
    await confirm('Revoke');
    await page.getByText('ended', { exact: true }).waitFor();

    expect(await statusWith(messagesUrl, token)).toBe(401);
    expect(await consoleFaults(page)).toEqual({});
  });

  step(
    'an external issuer is trusted once its fields are right, and no longer after it was removed',
    async () => {
      await using issuer = await anIssuer();
      const { slug, messagesUrl } = await service.publish(owner, { authMethod: 'jwt' });
      const token = await issuer.sign({ exp: Math.floor(Date.now() / 1000) + 3600 });
      await console.open(`/servers/${slug}/access`);
      await page.getByLabel('Issuer', { exact: true }).fill(issuer.config.issuer);
      await page.getByLabel('Audience').fill(issuer.config.audience);
      await page.getByLabel('Address of its keys').fill(issuer.config.jwksUri);
      await page.getByLabel('Algorithms').fill('HS256');
      await console.press('Add trust');
      await page.locator('.fault').waitFor();
      expect(await page.getByLabel('Issuer', { exact: true }).inputValue()).toBe(
        issuer.config.issuer,
      );
      expect(await consoleFaults(page)).toEqual({});

      await page.getByLabel('Algorithms').fill('RS256');
      await console.press('Add trust');
      await page.getByText('Tokens that it signs are accepted').waitFor();
      expect(await statusWith(messagesUrl, token)).toBe(200);
      await confirm('Stop trusting it');
      await page.getByText('None is trusted').waitFor();
      await page.reload();
      await page.getByText('None is trusted').waitFor();
      expect(await page.getByLabel('Audience').inputValue()).toBe('');
    },
  );

  step('what is saved is said, and an address is judged when its field is left', async () => {
    const { slug } = await service.publish(owner);
    const missing: string[] = [];
    const note = (answer: Response) => answer.status() === 404 && missing.push(answer.url());
    page.on('response', note);
    await console.open(`/servers/${slug}/access`);
    await page.getByRole('radio', { name: /^These people/ }).check();
    const list = page.getByLabel('Addresses and domains');
    await list.pressSequentially('not an address!!');
    expect(await page.locator('.fault').count()).toBe(0);
    await list.blur();
    await page.getByText('Write an address as ada@example.com').waitFor();
    await list.fill('ada@example.com');
    await console.press('Save');
    await page.getByRole('status').getByText('Saved.', { exact: true }).waitFor();
    await page.getByRole('radio', { name: /^API tokens/ }).check();
    await console.press('Save');
    await page.getByRole('heading', { name: 'Tokens of another issuer' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(missing).toEqual([]);
    page.off('response', note);
  });

  step(
    'who is invited chooses a password once, and finds the server shared with them',
    async () => {
      const { slug } = await service.publish(owner, {
        name: 'Shared orders',
        access: { mode: 'owner' },
      });
      await console.open(`/servers/${slug}/access`);
      const email = 'invited@example.com';
      await page.getByLabel('E-mail address of the person').fill(email);
      await console.press('Send invitation');
      await page.getByText('A mail is on its way.').waitFor();
      expect(await page.getByLabel('Addresses and domains').inputValue()).toBe(email);
      expect(await consoleFaults(page)).toEqual({});

      const mail = (await mailsAt(service)).findLast(({ to }) => to === email);
      const theirs = await openConsole(service, chromium);
      await theirs.page.goto(mail?.link ?? '');
      await theirs.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await theirs.page.getByLabel('Password again').fill(PASSWORD);
      await theirs.press('Create account');
      await theirs.page.getByRole('heading', { level: 1, name: 'Shared orders' }).waitFor();
      await theirs.open('/servers');
      await theirs.page.getByRole('heading', { name: 'Shared with you' }).waitFor();
      await theirs.page.getByRole('heading', { name: 'No server of your own' }).waitFor();
      const connect = theirs.page.getByRole('link', { name: 'Connect Shared orders' });
      expect(await connect.getAttribute('href')).toMatch(new RegExp(`/${slug}/docs$`));
      expect(await theirs.page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
        'Shared with you',
        'No server of your own',
      ]);
      expect(await consoleFaults(theirs.page)).toEqual({});
      const asked = Promise.withResolvers<() => Promise<void>>();
      await theirs.page.route('**/account/shared', (route) =>
        asked.resolve(() => route.continue()),
      );
      await theirs.page.reload();
      const answer = await asked.promise;
      await setTimeout(1000);
      expect(await theirs.page.getByText('first server').count()).toBe(0);
      await answer();
      await theirs.page.getByRole('heading', { name: 'Shared with you' }).waitFor();
      await theirs.page.unroute('**/account/shared');
      await theirs.open(`/servers/${slug}`);
      await theirs.page
        .getByRole('heading', { name: 'Shared orders is shared with you' })
        .waitFor();
      const there = theirs.page.getByRole('link', { name: 'Connect', exact: true });
      expect(await there.getAttribute('href')).toMatch(new RegExp(`/${slug}/docs$`));
      expect(await consoleFaults(theirs.page)).toEqual({});
      expect(theirs.complaints).toEqual([]);
      await theirs.context.close();
    },
  );

  step('a ready description is chosen from the gallery and published', async () => {
    await console.open('/new');
    await console.press('Gallery');
    await console.press(/Choose Open-Meteo weather/);
    await page.getByRole('heading', { name: /What it becomes: / }).waitFor();
    expect(await consoleFaults(page)).toEqual({});
    await page.getByLabel('URL name').fill('weather');
    await console.press('Publish');
    await page.getByText('Next steps:').waitFor();
    await page.getByRole('link', { name: /forecast/i }).waitFor();

    expect(new URL(page.url()).pathname).toBe('/v1/console/servers/weather/tools');
  });

  /** Lets a client in, as its user does in a browser. */
  const connect = (url: string, person: Person): Promise<McpClient> =>
    letIn(SDKS[0], url, anApplication(), { fetch: service.fetch }, (address) =>
      authorize(service.browser(), address, person),
    );

  step(
    'the owner ends what a person has let a client do, and its next call is refused',
    async () => {
      const { slug, messagesUrl } = await service.publish(owner);
      const guest = await service.person();
      const client = await connect(messagesUrl, guest);
      await client.listTools();
      await console.open(`/servers/${slug}/access`);
      await page.getByRole('rowheader', { name: guest.email }).waitFor();
      expect(await consoleFaults(page)).toEqual({});
      await confirm('Revoke');
      await page.getByText('Nobody yet.').waitFor();

      await expect(client.listTools()).rejects.toThrow();
      await client.close();
    },
  );

  step('a person ends what a client does for them, and its next call is refused', async () => {
    const { slug, messagesUrl } = await service.publish(await service.person());
    const client = await connect(messagesUrl, owner);
    await client.listTools();
    await console.open('/account');
    await console.press(`Revoke An application on ${slug}`);
    expect(await consoleFaults(page)).toEqual({});
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No client acts for you').waitFor();

    await expect(client.listTools()).rejects.toThrow();
    await client.close();
  });

  step(
    'the link of npm start leads the owner to the sample, to try it and see its calls',
    async () => {
      const local = await service.person();
      const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-sample-'));
      const api = await signInOwner(service.baseUrl, local);
      const sample = api && (await openSample(api, folder, service.sampleApiUrl));
      await rm(folder, { recursive: true });
      const fresh = await openConsole(service, chromium);
      await fresh.page.goto((api && (await consoleLink(api))) ?? '');
      await fresh.page.getByRole('button').first().click();
      await fresh.page.getByRole('link', { name: 'Sample Bookshop' }).click();
      await fresh.page.getByRole('link', { name: /listBooks/ }).click();
      await fresh.press('Test');
      await fresh.press('Call');
      await fresh.page.getByText('Success', { exact: true }).waitFor();
      await fresh.open(`/servers/${sample?.slug}/connect`);
      await fresh.page.getByRole('heading', { name: 'Waiting for the first call' }).waitFor();
      const shown = fresh.page.locator('.call-row').getByText('listBooks');
      // A call is on record a moment after it, and the page shows what there is.
      while (!(await shown.isVisible())) {
        await fresh.open(`/servers/${sample?.slug}/activity`);
        await shown.waitFor({ timeout: 2000 }).catch(() => undefined);
      }

      expect(await consoleFaults(fresh.page)).toEqual({});
      expect(fresh.complaints).toEqual([]);
      await fresh.context.close();
    },
  );

  step('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
