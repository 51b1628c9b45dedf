import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const HOSTILE = `"><img src=x onerror="throw 1">&config=evil#x'`;
const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/a': { get: { operationId: 'readOrder', responses: { 200: { description: 'Done.' } } } },
  },
};

inChromium('connecting clients in the console', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    owner = await signedIn(service);
    for (const mode of ['oauth', 'jwt', 'none'] as const) {
      const wanted = { slug: `orders-${mode}`, name: HOSTILE, openapi: OPENAPI };
      const sent = { ...wanted, mcp_auth_method: mode };
      expect((await owner.send('POST', '/deployments', sent)).status).toBe(201);
    }
    console = await openConsole(service, chromium);
    page = console.page;
    page.setDefaultTimeout(20_000);
    await console.signIn(owner.person);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  const open = async (mode: string) => {
    await console.open(`/servers/orders-${mode}/connect`);
    await page.getByLabel('For Claude Code', { exact: true }).waitFor();
  };
  const clients = () => page.getByRole('group', { name: 'Client', exact: true });
  /** Of whichever page is open. */
  const linkOf = async (there: Page, name: string): Promise<URL> =>
    new URL((await there.getByRole('link', { name }).getAttribute('href')) ?? '');
  const urlOf = (mode: string) => `${service.baseUrl}/mcp-router/orders-${mode}/messages`;

  /** Opened as an application opens it: nothing but the server's address and its name can come out. */
  const expectInstalls = async (there: Page, mode: string, headers: object) => {
    const cursor = await linkOf(there, 'Add to Cursor');
    expect([...cursor.searchParams.keys()]).toEqual(['name', 'config']);
    expect(cursor.protocol + cursor.host + cursor.pathname).toBe(
      'cursor:anysphere.cursor-deeplink/mcp/install',
    );
    expect(cursor.searchParams.get('name')).toBe(`orders-${mode}`);
    const config = Buffer.from(cursor.searchParams.get('config') ?? '', 'base64').toString();
    expect(JSON.parse(config)).toMatchObject({ url: urlOf(mode), ...headers });
    const vscode = await linkOf(there, 'Add to VS Code');
    expect(vscode.protocol + vscode.pathname).toBe('vscode:mcp/install');
    expect(JSON.parse(decodeURIComponent(vscode.search.slice(1)))).toMatchObject({
      name: `orders-${mode}`,
      type: 'http',
      url: urlOf(mode),
    });
  };

  test('buttons open Cursor and VS Code with the address of the server, whatever it is called', async () => {
    await open('oauth');
    await expectInstalls(page, 'oauth', {});
    expect(await page.locator('img').count()).toBe(0);
  });

  test.each([
    ['Codex', 'codex mcp add orders-oauth --url'],
    ['Gemini CLI', 'gemini mcp add --transport http --scope user orders-oauth'],
    ['Windsurf', '"serverUrl"'],
    ['GitHub Copilot CLI', '"tools"'],
    ['VS Code', '"servers"'],
    ['Claude (web and desktop)', 'mcp-remote'],
    ['Cursor', '"mcpServers"'],
  ])('%s has its own lines', async (name, text) => {
    await clients().getByRole('button', { name, exact: true }).click();
    const paste = await page.getByLabel(`For ${name}`, { exact: true }).innerText();
    expect(paste).toContain(text);
    expect(paste).toContain(urlOf('oauth'));
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a client that cannot reach this machine is not offered, and the page says why', async () => {
    expect(await clients().getByRole('button', { name: 'ChatGPT' }).count()).toBe(0);
    await page.getByText('ChatGPT calls from outside and cannot reach this machine.').waitFor();
  });

  test('the page says which clients stay signed in, where people sign in', async () => {
    const said = page.getByText('It does not refresh its access reliably');
    await clients().getByRole('button', { name: 'Claude Code', exact: true }).click();
    await said.waitFor();
    await clients().getByRole('button', { name: 'VS Code', exact: true }).click();
    expect(await said.count()).toBe(0);
    await open('none');
    expect(await said.count()).toBe(0);
  });

  test('a client that takes no token is not offered where callers need one', async () => {
    await open('jwt');
    expect(await clients().getByRole('button', { name: 'ChatGPT' }).count()).toBe(0);
    await page.getByText('ChatGPT takes no token').waitFor();
    await expectInstalls(page, 'jwt', {
      headers: { Authorization: 'Bearer ${env:MCP_TOKEN}' },
    });
    for (const button of await clients().getByRole('button').all()) {
      await button.click();
      expect(await consoleFaults(page)).toEqual({});
    }
  });

  test('the page for colleagues is copied as a link, and offers the same clients to whoever opens it', async () => {
    await open('oauth');
    const names = await clients().getByRole('button').allInnerTexts();
    await console.press('Copy: the link for colleagues');
    await page.getByRole('button', { name: 'Copied: the link for colleagues' }).waitFor();
    const address = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(address).toBe(`${service.baseUrl}/mcp-router/orders-oauth/docs`);

    const stranger = await (await chromium.newContext()).newPage();
    const complaints: string[] = [];
    stranger.on('pageerror', ({ message }) => complaints.push(message));
    stranger.on('console', (one) => one.type() === 'error' && complaints.push(one.text()));
    await stranger.goto(address);
    await stranger.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
    await expectInstalls(stranger, 'oauth', {});
    expect(await stranger.locator('summary').allInnerTexts()).toEqual(names);
    expect(await stranger.locator('img').count()).toBe(0);
    expect(await stranger.content()).not.toContain('readOrder');
    expect(await consoleFaults(stranger)).toEqual({});
    for (const summary of await stranger.locator('summary').all()) await summary.click();
    expect(await consoleFaults(stranger)).toEqual({});
    expect(complaints).toEqual([]);
    await stranger.context().close();
  });

  test('the page says before it is handed out who will see the tools there', async () => {
    await page.getByText('Its tools are shown to those who are signed in').waitFor();
    await open('none');
    await page.getByText('Everybody who has its address can read it.').waitFor();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a token for an hour is made for curl and scripts, shown once, and revoked', async () => {
    await open('oauth');
    await console.press('Create a token for an hour');
    await page.getByText('Copy it now: it is shown this once.').waitFor();
    const variable = await page.getByLabel('The token, as a variable', { exact: true }).innerText();
    const [, token = ''] = /^export MCP_TOKEN='([\w.-]+)'$/.exec(variable) ?? [];
    const curl = await page.getByLabel('The tools by curl', { exact: true }).innerText();
    expect(curl).toContain('"Authorization: Bearer $MCP_TOKEN"');
    expect(await consoleFaults(page)).toEqual({});

    const status = async () => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      return (await service.fetch(urlOf('oauth'), { method: 'POST', headers, body })).status;
    };
    expect(await status()).toBe(200);
    await page.reload();
    await page.getByText('curl and scripts', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(token);
    await console.press('Revoke');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('ended', { exact: true }).waitFor();
    expect(await status()).toBe(401);
    await open('none');
    expect(await page.getByRole('button', { name: 'Create a token' }).count()).toBe(0);
  });

  test('a public server that carries a credential says so', async () => {
    const warning = page.getByText('This server is public and carries your credential.');
    expect(await warning.count()).toBe(0);
    const credential = { type: 'bearer', token: 'Shohx9eiGh4Ai' };
    const set = await owner.send('PUT', '/deployments/orders-none/credential', credential);
    expect(set.status).toBe(200);
    await open('none');
    await warning.waitFor();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
