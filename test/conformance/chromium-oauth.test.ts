import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  type CallbackSite,
  hasChromium,
  launchChromium,
  startCallback,
} from '../support/pages/browser.ts';
import { anApplication, letIn, SDKS } from '../support/oauth/oauth-sdk-clients.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

inChromium('OAuth in Chromium with an official MCP client', () => {
  let service: WholeService;
  let person: Person;
  let server: PublishedServer;
  let callback: CallbackSite;
  let chromium: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    [service, callback, chromium] = await Promise.all([
      startWholeService(),
      startCallback(),
      launchChromium(),
    ]);
    person = await service.person();
    server = await service.publish(person);
    context = await chromium.newContext();
  });
  afterAll(async () => {
    await Promise.all([chromium.close(), callback.stop()]);
    await service.stop();
  });

  const application = () =>
    anApplication({ redirectUrl: `http://127.0.0.1:${callback.port}/callback` });

  const signIn = async (page: Page): Promise<void> => {
    await page.getByLabel('E-mail address').fill(person.email);
    await page.getByLabel('Password').fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  /** Opens the address in a tab and presses a button; resolves with what the application received. */
  const decide = async (address: URL, button: 'Approve' | 'Deny'): Promise<URL> => {
    const page = await context.newPage();
    await page.goto(address.href);
    if ((await page.getByLabel('Password').count()) > 0) await signIn(page);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(/\/callback\?/);
    const url = new URL(page.url());
    await page.close();
    expect(callback.queries.at(-1)?.toString()).toBe(url.searchParams.toString());
    return url;
  };

  test.each(SDKS.map((sdk) => [sdk.name, sdk] as const))(
    '%s: Approve lets the client in, and it calls a tool',
    async (_name, sdk) => {
      const options = { fetch: service.fetch };

      const client = await letIn(sdk, server.messagesUrl, application(), options, (address) =>
        decide(address, 'Approve'),
      );

      const { content } = await client.callTool({ name: 'getBook', arguments: { book_id: 1 } });
      expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ id: 1 });
      await client.close();
    },
  );

  test.each(SDKS.map((sdk) => [sdk.name, sdk] as const))(
    '%s: Deny keeps the client out',
    async (_name, sdk) => {
      const denied = application();
      const options = { fetch: service.fetch };

      const entering = letIn(sdk, server.messagesUrl, denied, options, (address) =>
        decide(address, 'Deny'),
      );

      await expect(entering).rejects.toThrow();
      expect(callback.queries.at(-1)?.get('error')).toBe('access_denied');
      expect(denied.tokens).toBeUndefined();
    },
  );
});
