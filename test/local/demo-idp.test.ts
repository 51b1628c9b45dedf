import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { lettersOf } from '../../layers/accounts/rules/command-line.ts';
import { type DemoIdp, startDemoIdp } from '../../local/demo-idp/index.ts';
import { applyIdentityProviders } from '../../local/run/identity-providers.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const HEADING = '## A company on one machine';

inChromium('the company that npm start plays', () => {
  let service: WholeService;
  let chromium: Browser;
  let demo: DemoIdp;
  let machine: TestMachine;
  /** Two people, at browsers of their own. */
  let ada: Page;
  let eve: Page;
  /** As an operator invokes functions. */
  const invoke = async (functionName: 'identity' | 'maintenance' | 'oauth', event: unknown) => ({
    ok: true,
    ...(await service.operate(event as Readonly<Record<string, unknown>>, functionName)),
  });
  const apply = (one?: DemoIdp, written?: unknown) =>
    applyIdentityProviders({ invoke } as never, written, service.dataFolder, one);
  const opened = (dataFolder: string) =>
    startDemoIdp({ baseUrl: service.baseUrl, dataFolder, preferredPort: 0 });

  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    demo = await opened(service.dataFolder);
    await apply(demo);
    machine = await aMachineFor(service.baseUrl);
    [ada, eve] = await Promise.all([chromium.newPage(), chromium.newPage()]);
    for (const page of [ada, eve]) page.setDefaultTimeout(15000);
  });
  afterAll(async () => {
    await Promise.all([chromium.close(), demo.close(), machine.remove()]);
    await service.stop();
  });

  const signIn = async (page: Page, name: string): Promise<void> => {
    await page.goto(`${service.baseUrl}/mcp-oauth-server/sign-in`);
    await page.getByLabel('E-mail address').fill(`${name.toLowerCase()}@acme.example`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: `Sign in as ${name}` }).click();
  };

  /** The lines of a step of the page, with the addresses of this run. */
  const linesOf = async (number: number): Promise<readonly string[]> => {
    const text = await readFile(new URL('../../docs/local-run.md', import.meta.url), 'utf8');
    const [, section = ''] = text.split(HEADING);
    const [, step = ''] = (section.split('\n## ')[0] ?? '').split(`\n${number}. `);
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(step) ?? [];
    return block
      .replaceAll('http://127.0.0.1:8787', new URL(service.baseUrl).origin)
      .replaceAll('http://127.0.0.1:28787', demo.issuer)
      .replaceAll('http://127.0.0.1:18787', service.sampleApiUrl)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  };

  test('lets Ada in at the console, at first sight', async () => {
    await signIn(ada, 'Ada');
    await ada.waitForURL(/\/console\//);

    await ada.getByText('ada@acme.example').first().waitFor();
  });

  test('lets Ada in at the command line, by the lines of the page', async () => {
    const [login = '', deploy = ''] = await linesOf(2);
    const argsOf = (line: string) => line.replace('npx --no-install hosted-mcp ', '').split(' ');
    const shown = Promise.withResolvers<string>();
    const running = machine.run(argsOf(login), { typed: [], browse: shown.resolve });
    const address = await shown.promise;
    await ada.goto(address);
    const challenge = new URL(address).searchParams.get('challenge') ?? '';
    await ada.getByLabel('The four letters').fill(lettersOf(challenge));
    await ada.getByRole('button', { name: 'Sign in' }).click();

    expect(await running).toMatchObject({ code: 0 });
    expect(await machine.run(argsOf(deploy))).toMatchObject({ code: 0 });
  });

  test('lets a client in by an assertion, by the lines of the page', async () => {
    const script = (await linesOf(3)).join('\n');
    const { stdout } = await promisify(execFile)('sh', ['-euc', script]);

    expect(JSON.parse(stdout).result.tools.length).toBeGreaterThan(0);
  });

  test('signs Eve in no more once she has left, in any way, until she comes back', async () => {
    await signIn(eve, 'Eve');
    await eve.waitForURL(/\/console\//);
    const leaving = await chromium.newPage();
    await leaving.goto(demo.issuer);
    await leaving.getByRole('button', { name: 'Eve leaves' }).click();
    await leaving.getByRole('button', { name: 'Eve comes back' }).waitFor();
    const asked = await fetch(`${demo.issuer}/assertions`, {
      method: 'POST',
      body: new URLSearchParams({ person: 'eve', client_id: 'a', resource: '' }),
    });
    // Of a browser that Acme had signed her in at.
    await eve.context().clearCookies({ name: /session$/, domain: '127.0.0.1' });
    await eve.goto(`${service.baseUrl}/mcp-oauth-server/sign-in/demo`);

    expect(asked.status).toBe(403);
    await eve.getByText('has left Acme').waitFor();
    expect(await eve.getByRole('button', { name: 'Sign in as Eve' }).count()).toBe(0);
    await leaving.getByRole('button', { name: 'Eve comes back' }).click();
    await leaving.getByRole('button', { name: 'Eve leaves' }).waitFor();
    await eve.reload();
    await eve.getByRole('button', { name: 'Sign in as Eve' }).click();
    await eve.waitForURL(/\/console\//);
  });

  test('takes nothing from pages of other sites', async () => {
    const leave = (headers: Readonly<Record<string, string>>) =>
      fetch(`${demo.issuer}/leave`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ person: 'eve' }),
      });

    expect((await leave({ origin: 'https://evil.example' })).status).toBe(400);
    expect((await leave({ 'sec-fetch-site': 'cross-site' })).status).toBe(400);
    expect(await (await fetch(demo.issuer)).text()).toContain('Eve leaves');
  });

  test('asks nobody who is signed in there again, unless that was long ago', async () => {
    await ada.context().clearCookies({ name: 'mcp-session' });
    await ada.goto(`${service.baseUrl}/mcp-oauth-server/sign-in/demo`);

    await ada.waitForURL(/\/console\//);
  });

  test('is the same company at the next start, and keeps its secrets to itself', async () => {
    await demo.close();
    const again = await opened(service.dataFolder);
    const { mode } = await stat(join(service.dataFolder, 'demo-idp.json'));
    await again.close();

    expect(again.clientSecret).toBe(demo.clientSecret);
    expect(mode & 0o077).toBe(0);
    expect(await service.leaks()).toEqual([]);
  });

  test('is believed no more by a start without it, and others stay', async () => {
    const other = {
      id: 'other',
      name: 'Other',
      issuer: 'https://idp.other.example',
      jwks_uri: 'https://idp.other.example/keys',
      email_domains: ['other.example'],
      deployments: 'all',
      assertions: {},
    };
    const listed = async () =>
      ((await invoke('oauth', { operator: 'show-providers' })) as { providers?: unknown })
        .providers as readonly { readonly id: string }[];
    const again = await opened(service.dataFolder);
    await apply(again, [other]);
    const both = await listed();
    await again.close();
    await apply();

    expect(both.map(({ id }) => id)).toEqual(['other', 'demo']);
    expect((await listed()).map(({ id }) => id)).toEqual(['other']);
  });
});
