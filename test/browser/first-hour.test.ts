import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type Listening, listening } from '../support/target/listening.ts';
import { consoleLink } from '../../local/run/console-link.ts';
import { signInOwner } from '../../local/run/owner.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { openConsole } from '../support/pages/console.ts';
import { anApplication, letIn, SDKS } from '../support/oauth/oauth-sdk-clients.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

/** As identity providers give them out. */
const CLIENT = { id: '3f0b7c5e-91d2-4a7b-8c55-0f2a9e6d1b34', secret: 'ohx8-Eifo_hch5' };

/** What somebody has done so far: a press, a choice, a field that is filled, a text that is pasted each. */
const counted = () => {
  const acts: string[] = [];
  return {
    acts,
    act: async <Done>(what: string, done: Promise<Done>): Promise<Done> => {
      acts.push(what);
      return done;
    },
  };
};

inChromium('the first hour', () => {
  let service: WholeService;
  let chromium: Browser;
  let api: Listening;
  const called: unknown[] = [];

  beforeAll(async () => {
    // The API and its server of tokens, which compares id and secret without decoding them.
    const basic = `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}`;
    const server = createServer(({ url, headers: { authorization } }, response) => {
      const isToken = url === '/oauth/token';
      if (!isToken) called.push(authorization);
      const isKnown = authorization === (isToken ? basic : 'Bearer CANARY-token');
      const good = isToken
        ? { access_token: 'CANARY-token', token_type: 'bearer', expires_in: 600 }
        : { orders: [] };
      response
        .writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
        .end(JSON.stringify(isKnown ? good : { error: 'invalid_client' }));
    });
    api = await listening(server);
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
    await api.stop();
  });

  test('from the printed link to the first call of an API of one’s own behind client credentials takes at most 12 acts', async () => {
    const description = {
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      servers: [{ url: api.url }],
      security: [{ client: ['orders:read'] }],
      components: {
        securitySchemes: {
          client: {
            type: 'oauth2',
            flows: {
              clientCredentials: {
                tokenUrl: '/oauth/token',
                scopes: { 'orders:read': 'Reads orders.', 'orders:write': 'Changes orders.' },
              },
            },
          },
        },
      },
      paths: {
        '/orders': {
          get: { operationId: 'listOrders', responses: { 200: { description: 'All of them.' } } },
        },
      },
    };
    const owner = await signInOwner(service.baseUrl, await service.person());
    const link = owner && (await consoleLink(owner));
    if (link === undefined) throw new Error('no link was printed');
    const console = await openConsole(service, chromium);
    const { page } = console;
    page.setDefaultTimeout(20_000);
    const { acts, act } = counted();
    const press = (name: string | RegExp) =>
      act(`press ${name}`, page.getByRole('button', { name }).first().click());
    const follow = (name: string) =>
      act(`follow ${name}`, page.getByRole('link', { name, exact: true }).first().click());

    await act('open the printed link', page.goto(link));
    await press(/./);
    await follow('Make your first server');
    await act(
      'choose a file',
      page.setInputFiles('#description-file', {
        name: 'orders.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(description)),
      }),
    );
    await page.getByRole('heading', { name: /What it becomes: Orders/ }).waitFor();
    await press('Publish');
    await page.getByText('Next steps:').waitFor();
    const label = (name: string) => page.getByLabel(name, { exact: true });
    expect(await page.getByRole('radio', { name: /^OAuth client/ }).isChecked()).toBe(true);
    expect(await label('Token endpoint').inputValue()).toBe(`${api.url}/oauth/token`);
    expect(await label('Scopes').inputValue()).toBe('orders:read');
    await act('paste the id of the client', label('Client ID').fill(CLIENT.id));
    await act('paste its secret', label('Client secret').fill(CLIENT.secret));
    await press('Set it');
    await page.getByText('It works: GET /orders was answered with 200.').waitFor();
    await follow('Connect a client');
    await press('Copy: the MCP address');
    const url = await page.evaluate('navigator.clipboard.readText()');

    // A client that a person gives this address, and its page of consent in the same browser.
    const application = anApplication();
    const client = await letIn(
      SDKS[1] ?? SDKS[0],
      await act('paste the address into a client', Promise.resolve(String(url))),
      application,
      { fetch: service.fetch },
      async (address) => {
        const callback = new Promise<URL>((resolve) => {
          void page.context().route(`${application.redirectUrl}**`, async (route) => {
            await route.fulfill({ status: 200, contentType: 'text/html', body: 'Done' });
            resolve(new URL(route.request().url()));
          });
        });
        const consent = await page.context().newPage();
        await consent.goto(address.href);
        await act('agree', consent.getByRole('button', { name: 'Approve', exact: true }).click());
        return callback;
      },
    );
    const { content } = await client.callTool({ name: 'listOrders', arguments: {} });
    await client.close();

    expect(JSON.stringify(content)).toContain('orders');
    // The test of the credential, and the call of the client.
    expect(called).toEqual(['Bearer CANARY-token', 'Bearer CANARY-token']);
    await page.locator('main code').getByText('listOrders', { exact: true }).waitFor();
    expect(console.complaints).toEqual([]);
    expect(acts.length).toBeLessThanOrEqual(12);
    await console.context.close();
  });
});
