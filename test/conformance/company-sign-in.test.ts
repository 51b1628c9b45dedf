import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  type CallbackSite,
  hasChromium,
  launchChromium,
  startCallback,
} from '../support/pages/browser.ts';
import { anApplication, letIn, SDKS } from '../support/oauth/oauth-sdk-clients.ts';
import {
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const CLIENT = { clientId: 'hosted-mcp', clientSecret: 'CANARY-secret-of-the-client-at-acme' };

const inChromium = hasChromium ? describe : describe.skip;

inChromium('somebody who signs in with their company, whose provider is oidc-provider', () => {
  let service: WholeService;
  let server: PublishedServer;
  let callback: CallbackSite;
  let chromium: Browser;
  let provider: Worker;
  let issuer: string;

  beforeAll(async () => {
    [service, callback, chromium] = await Promise.all([
      startWholeService(),
      startCallback(),
      launchChromium(),
    ]);
    const redirectUri = `${service.baseUrl}/mcp-oauth-server/sign-in/acme/callback`;
    provider = new Worker(
      new URL('../support/oauth/company-provider-thread.ts', import.meta.url),
      // It warns of what a test is free to do.
      { workerData: { ...CLIENT, redirectUri }, stdout: true, stderr: true },
    );
    issuer = await new Promise<string>((ready, failed) => {
      provider.once('message', ready);
      provider.once('error', failed);
    });
    const prepared = await service.operate(
      { operator: 'prepare-providers', providers: [listed()] },
      'oauth',
    );
    const { changes: _, ok: __, ...list } = prepared;
    await service.operate({ ...list, operator: 'apply-providers' }, 'maintenance');
    const secret = { provider: 'acme', secret: CLIENT.clientSecret };
    await service.operate({ operator: 'set-provider-secret', ...secret }, 'identity');
    // Afterwards: what was read before the list was applied is remembered for 15 seconds.
    server = await service.publish(await service.person());
  });
  afterAll(async () => {
    await Promise.all([chromium.close(), callback.stop(), provider.terminate()]);
    await service.stop();
  });

  const listed = () => ({
    id: 'acme',
    name: 'Acme',
    issuer,
    email_domains: ['acme.example'],
    create_accounts: true,
    deployments: 'all',
    sign_in: { client_id: CLIENT.clientId },
  });

  /** Their own pages: a name and any password, and consent to the scopes. */
  const atTheirCompany = async (page: Page, name: string): Promise<void> => {
    await page.waitForURL((url) => url.origin === issuer);
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('anything');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  test.each(SDKS.map((sdk) => [sdk.name, sdk] as const))(
    'lets %s in, and is the same person in the console',
    async (sdkName, sdk) => {
      const name = `ada-${sdkName.replace(/[^a-z0-9]/gi, '').toLowerCase()}`;
      const context = await chromium.newContext();
      const application = anApplication({
        redirectUrl: `http://127.0.0.1:${callback.port}/callback`,
      });

      const client = await letIn(
        sdk,
        server.messagesUrl,
        application,
        { fetch: service.fetch },
        async (address) => {
          const page = await context.newPage();
          await page.goto(address.href);
          expect(await page.getByLabel('Password').count()).toBe(0);
          await page.getByLabel('E-mail address').fill(`${name}@acme.example`);
          await page.getByRole('button', { name: 'Continue' }).click();
          await atTheirCompany(page, name);
          await page.getByRole('button', { name: 'Approve' }).click();
          await page.waitForURL(/\/callback\?/);
          return new URL(page.url());
        },
      );

      const { content } = await client.callTool({ name: 'getBook', arguments: { book_id: 1 } });
      expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ id: 1 });
      await client.close();
      const page = await context.newPage();
      await page.goto(`${service.baseUrl}/console/servers`);
      await page.getByText(`${name}@acme.example`).first().waitFor();
      await context.close();
    },
  );

  test('asks nobody for a password who signs in again in the console, and loses nothing', async () => {
    const context = await chromium.newContext();
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/console/account`);
    await page.getByLabel('E-mail address').fill('fresh@acme.example');
    await page.getByRole('button', { name: 'Continue' }).click();
    await atTheirCompany(page, 'fresh');
    await page.getByLabel('What the token is for').fill('nightly');
    // As ten minutes after the sign-in.
    await page.route('**/account/tokens', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 403,
            contentType: 'application/problem+json',
            body: JSON.stringify({ code: 'sign_in_again', detail: 'Sign in again.' }),
          })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Create the token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Sign in with Acme in another tab').waitFor();
    expect(await dialog.getByLabel('Password').count()).toBe(0);
    await page.unroute('**/account/tokens');

    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      dialog.getByRole('link', { name: 'Sign in with Acme' }).click(),
    ]);
    await tab.waitForURL((url) => url.origin === issuer);
    await tab.locator('input[name=login]').fill('fresh');
    await tab.locator('input[name=password]').fill('anything');
    await tab.getByRole('button', { name: 'Sign-in' }).click();
    await tab.waitForURL(`${service.baseUrl}/console/servers`);
    await tab.close();
    await dialog.getByRole('button', { name: 'I have signed in' }).click();
    await page.getByText('Copy it now').waitFor();

    // Their session at the company goes on: whoever has left is not led back in.
    await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await context.close();
  });

  test('leaves nothing of the secret in a log, a table or an answer', async () => {
    expect(await service.leaks()).toEqual([]);
    const kept = await service.kept();
    expect(kept.filter(([, text]) => text.includes(CLIENT.clientSecret))).toEqual([]);
  });
});
