import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { dynamoUsers } from '../../layers/accounts/store/users.ts';
import { DEFAULT_LIMITS } from '../../layers/limits/rules/limits.ts';
import { personKey } from '../../layers/platform/dynamodb/keys.ts';
import { connectionOf } from '../support/aws/aws.ts';
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
    sign_in: {
      client_id: CLIENT.clientId,
      scopes: ['openid', 'email', 'offline_access'],
      authorize: { prompt: 'consent' },
    },
  });

  /** Their own pages: a name and any password, and consent to the scopes. */
  const atTheirCompany = async (page: Page, name: string): Promise<void> => {
    await page.waitForURL((url) => url.origin === issuer);
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('anything');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  /** Lets a client of an SDK in, through the pages of the company. */
  const letInAt = async (context: BrowserContext, sdk: (typeof SDKS)[number], name: string) => {
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
    return { application, client };
  };

  test.each(SDKS.map((sdk) => [sdk.name, sdk] as const))(
    'lets %s in, and is the same person in the console',
    async (sdkName, sdk) => {
      const name = `ada-${sdkName.replace(/[^a-z0-9]/gi, '').toLowerCase()}`;
      const context = await chromium.newContext();
      const { client } = await letInAt(context, sdk, name);

      const { content } = await client.callTool({ name: 'getBook', arguments: { book_id: 1 } });
      expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ id: 1 });
      await client.close();
      const page = await context.newPage();
      await page.goto(`${service.baseUrl}/console/servers`);
      await page.getByText(`${name}@acme.example`).first().waitFor();
      await context.close();
    },
  );

  /** As if what the provider has said of somebody were of an hour ago. */
  const anHourLater = async (email: string): Promise<void> => {
    const database = new DynamoDBClient(connectionOf(service.aws, 'test'));
    const dynamo = DynamoDBDocumentClient.from(database);
    const oauth = 'hosted-mcp-oauth';
    const users = dynamoUsers(dynamo, { users: 'hosted-mcp-users', oauth }, DEFAULT_LIMITS);
    const user = await users.findByEmail(email);
    const [identity] = user?.identities ?? [];
    if (!user || identity?.checkedAt === undefined) throw new Error(`${email} has not signed in`);
    const before = { ...identity, checkedAt: identity.checkedAt - 3600 };
    await users.replace({ ...user, identities: [before], revision: user.revision + 1 });
    await dynamo.send(
      new UpdateCommand({
        TableName: 'hosted-mcp-connections',
        Key: personKey(identity.subject),
        UpdateExpression: 'REMOVE answer, answeredAt',
      }),
    );
    database.destroy();
  };

  test('lets nobody in whom the company has disabled since, and keeps each token that it gives', async () => {
    const context = await chromium.newContext();
    const [sdk] = SDKS;
    const { application, client } = await letInAt(context, sdk, 'eve');
    await client.close();
    const refreshed = async () => {
      await anHourLater('eve@acme.example');
      const { client: registered, tokens } = application;
      const sent = {
        grant_type: 'refresh_token',
        client_id: registered?.client_id ?? '',
        refresh_token: tokens?.refresh_token ?? '',
      };
      const body = new URLSearchParams(sent);
      const answer = await service.fetch(`${service.issuer}/token`, { method: 'POST', body });
      const said = (await answer.json()) as typeof tokens & { readonly error?: string };
      if (answer.ok) application.tokens = said;
      return [answer.status, said?.error];
    };
    expect(await refreshed()).toEqual([200, undefined]);
    expect(await refreshed()).toEqual([200, undefined]);
    provider.postMessage('eve');
    expect(await refreshed()).toEqual([400, 'invalid_grant']);
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/console/servers`);
    await page.getByLabel('E-mail address').waitFor();
    await context.close();
  });

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
    // The console tells sessions apart by their ends, which it knows to a second or two.
    await page.waitForTimeout(4000);

    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      dialog.getByRole('link', { name: 'Sign in with Acme' }).click(),
    ]);
    await atTheirCompany(tab, 'fresh');
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
