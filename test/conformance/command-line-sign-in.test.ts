import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { lettersOf } from '../../layers/accounts/rules/command-line.ts';
import { aMachineFor, type Said, type TestMachine } from '../support/cli/command-line.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const CLIENT = { clientId: 'hosted-mcp', clientSecret: 'CANARY-secret-of-the-client-at-acme' };

const inChromium = hasChromium ? describe : describe.skip;

inChromium('hosted-mcp login in a browser', () => {
  let service: WholeService;
  let chromium: Browser;
  let provider: Worker;
  let issuer: string;
  let machine: TestMachine;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    const redirectUri = `${service.baseUrl}/mcp-oauth-server/sign-in/acme/callback`;
    provider = new Worker(new URL('../support/oauth/company-provider-thread.ts', import.meta.url), {
      workerData: { ...CLIENT, redirectUri },
      stdout: true,
      stderr: true,
    });
    issuer = await new Promise<string>((ready, failed) => {
      provider.once('message', ready);
      provider.once('error', failed);
    });
    const listed = {
      id: 'acme',
      name: 'Acme',
      issuer,
      email_domains: ['acme.example'],
      create_accounts: true,
      deployments: 'all',
      sign_in: { client_id: CLIENT.clientId },
    };
    const prepared = await service.operate(
      { operator: 'prepare-providers', providers: [listed] },
      'oauth',
    );
    const { changes: _, ok: __, ...list } = prepared;
    await service.operate({ ...list, operator: 'apply-providers' }, 'maintenance');
    const secret = { provider: 'acme', secret: CLIENT.clientSecret };
    await service.operate({ operator: 'set-provider-secret', ...secret }, 'identity');
  });
  afterAll(async () => {
    await Promise.all([chromium.close(), provider.terminate()]);
    await service.stop();
  });
  beforeEach(async () => {
    machine = await aMachineFor(service.baseUrl);
    page = await chromium.newPage();
  });
  afterEach(async () => {
    await Promise.all([page.context().close(), machine.remove()]);
  });

  /** The command, and the page that it opens, at which somebody does this. */
  const login = async (
    atThePage: (letters: string) => Promise<void>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Said> => {
    const opened = Promise.withResolvers<string>();
    const saying = machine.run(['login'], {
      typed: [],
      environment,
      browse: opened.resolve,
    });
    const address = await opened.promise;
    await page.goto(address);
    await atThePage(lettersOf(new URL(address).searchParams.get('challenge') ?? ''));
    return saying;
  };

  const withPassword = async ({ email, password }: Person): Promise<void> => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(`You are signed in as`).waitFor();
  };

  test('signs in with a password, and says so in both places', async () => {
    const ada = await service.person();
    const said = await login(async (letters) => {
      await withPassword(ada);
      await page.getByLabel('The four letters').fill(letters.toLowerCase());
      await page.getByRole('button', { name: 'Sign in' }).dblclick();
      await page.getByText('You are signed in at the command line').waitFor();
    });

    expect(said).toMatchObject({ code: 0 });
    expect(said.out).toContain(`as ${ada.email}`);
    expect(said.errors.replaceAll(' ', '')).toContain('letters:');
    expect(await machine.run(['ls', '--json'])).toMatchObject({ code: 0 });
  });

  test('ends at once where somebody cancels', async () => {
    const ada = await service.person();
    const said = await login(async () => {
      await withPassword(ada);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('You are not signed in at the command line').waitFor();
    });

    expect(said).toMatchObject({ code: 3 });
    expect(said.errors).toContain('cancelled in the browser');
  });

  test('signs nobody in who types other letters, until they are right', async () => {
    const ada = await service.person();
    const said = await login(async (letters) => {
      await withPassword(ada);
      await page.getByLabel('The four letters').fill('AAAA');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('link', { name: 'These are not the letters' }).waitFor();
      await page.getByLabel('The four letters').fill(letters);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('You are signed in at the command line').waitFor();
    });

    expect(said).toMatchObject({ code: 0 });
  });

  test('through SSH opens no browser, and says which port to forward', async () => {
    const ada = await service.person();
    const shown = Promise.withResolvers<string>();
    const errors: string[] = [];
    const running = machine.run(['login'], {
      typed: [],
      environment: { SSH_CONNECTION: '10.0.0.9 50000 10.0.0.7 22', USER: 'ada' },
      browse: () => errors.push('a browser was opened'),
      onError: (text) => {
        const [address] = /http:\S+command-line\S+/.exec(text) ?? [];
        if (address !== undefined && text.includes('ssh -L')) shown.resolve(address);
      },
    });
    const address = await shown.promise;
    const { searchParams } = new URL(address);
    await page.goto(address);
    await withPassword(ada);
    await page.getByLabel('The four letters').fill(lettersOf(searchParams.get('challenge') ?? ''));
    await page.getByRole('button', { name: 'Sign in' }).click();
    const said = await running;
    const port = searchParams.get('port');

    expect([said.code, errors]).toEqual([0, []]);
    expect(said.errors).toContain(`ssh -L ${port}:127.0.0.1:${port} ada@10.0.0.7`);
  });

  test('does not wait where nobody is, and says what programs do', async () => {
    const said = await machine.run(['login'], { browse: () => undefined });

    expect(said).toMatchObject({ code: 2 });
    expect(said.errors).toContain('trust add');
  });

  test('signs in at a company, whose provider is oidc-provider, freshly enough for a token that outlives the session', async () => {
    const said = await login(async (letters) => {
      await page.getByLabel('E-mail address').fill('ada@acme.example');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.waitForURL((url) => url.origin === issuer);
      await page.locator('input[name=login]').fill('ada');
      await page.locator('input[name=password]').fill('anything');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('ada@acme.example').waitFor();
      await page.getByLabel('The four letters').fill(letters);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('As ada@acme.example').waitFor();
    });
    const token = await machine.run(['personal-token', 'add', 'ci', '--scope', 'read', '--json']);

    expect(said).toMatchObject({ code: 0 });
    expect(token).toMatchObject({ code: 0 });
    expect(await service.leaks()).toEqual([]);
  });
});
