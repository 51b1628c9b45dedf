import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { signedIn, type SignedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';

const inChromium = hasChromium ? describe : describe.skip;

const SECRET = 'CANARY-ohx8Eifohch5';

inChromium('the form of a credential', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;
  let api: TargetServer;

  beforeAll(async () => {
    // Tokens are given for a secret in the body alone.
    api = await anHttpServer(({ url, headers, body }, response) => {
      const isToken = url === '/oauth/token';
      const isKnown = isToken
        ? new URLSearchParams(String(body)).get('client_secret') === SECRET
        : headers.authorization === 'Bearer CANARY-token' || headers['x-key'] === SECRET;
      const refused = isToken
        ? { error: 'invalid_client', error_description: 'No client shows such a secret.' }
        : { message: 'The key is unknown.' };
      const good = isToken
        ? { access_token: 'CANARY-token', token_type: 'bearer', scope: 'fleet.read' }
        : {};
      response
        .writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
        .end(JSON.stringify(isKnown ? good : refused));
    });
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    owner = await signedIn(service);
    console = await openConsole(service, chromium);
    page = console.page;
    await console.signIn(owner.person);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
    await api[Symbol.asyncDispose]();
  });

  const deploy = async (slug: string, scheme: object, security: readonly string[] = []) => {
    const openapi = {
      openapi: '3.1.0',
      info: { title: slug, version: '1' },
      servers: [{ url: api.url }],
      security: [{ scheme: security }],
      components: { securitySchemes: { scheme } },
      paths: { '/vehicles': { get: { operationId: 'vehicles', responses: {} } } },
    };
    expect((await owner.send('POST', '/deployments', { slug, openapi })).status).toBe(201);
  };
  const label = (name: string) => page.getByLabel(name, { exact: true });
  const isChosen = (name: RegExp) => page.getByRole('radio', { name }).isChecked();

  test('is filled from a declared OAuth client, keeps what was set, and says what the server of tokens says', async () => {
    const clientCredentials = { tokenUrl: '/oauth/token', scopes: { 'fleet.read': 'Reads.' } };
    await deploy('fleet', { type: 'oauth2', flows: { clientCredentials } });
    await console.open('/servers/fleet/credentials');
    await page.getByRole('heading', { name: 'Set the credential' }).waitFor();
    expect(await isChosen(/^OAuth client/)).toBe(true);
    expect(await label('Token endpoint').inputValue()).toBe(`${api.url}/oauth/token`);
    expect(await label('Scopes').inputValue()).toBe('fleet.read');
    expect(await consoleFaults(page)).toEqual({});

    await label('Client ID').fill('fleet-mcp');
    await label('Client secret').fill('mistyped');
    await console.press('Set it');
    await page.getByText('It says: No client shows such a secret.').first().waitFor();
    await page.getByRole('heading', { name: 'Replace the credential' }).waitFor();
    expect(await isChosen(/^OAuth client/)).toBe(true);
    expect(await label('Token endpoint').inputValue()).toBe(`${api.url}/oauth/token`);
    expect(await label('Client ID').inputValue()).toBe('fleet-mcp');
    expect(await label('Scopes').inputValue()).toBe('fleet.read');
    expect(await label('Client secret').inputValue()).toBe('');
    await page.getByText('Nobody can read the stored one').waitFor();
    expect(await consoleFaults(page)).toEqual({});

    await label('Client secret').fill(SECRET);
    await console.press('Replace it');
    await page.getByText('It works: GET /vehicles was answered with 200.').waitFor();
    await page.getByText('The client shows its secret in the body.').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('CANARY');
    expect(await consoleFaults(page)).toEqual({});
  });

  test('of a key is filled with its name, says what the API says, and keeps what was set after a reload', async () => {
    await deploy('keyed', { type: 'apiKey', in: 'header', name: 'X-Key' });
    await console.open('/servers/keyed/credentials');
    await page.getByRole('heading', { name: 'Set the credential' }).waitFor();
    expect(await isChosen(/^API key/)).toBe(true);
    expect(await label('Name of the key').inputValue()).toBe('X-Key');
    await label('Key').fill('mistyped');
    await console.press('Set it');
    await page.getByText('It says: The key is unknown.').waitFor();
    await label('Name of the key').fill('x-key');
    await label('Key').fill(SECRET);
    await console.press('Replace it');
    await page.getByText('It works: GET /vehicles was answered with 200.').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Replace the credential' }).waitFor();
    expect(await label('Name of the key').inputValue()).toBe('x-key');
  });

  test('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
