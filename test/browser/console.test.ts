import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { mailsAt } from '../support/oauth/people.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';
import { inOrder } from '../support/story.ts';

const inChromium = hasChromium ? describe : describe.skip;
if (!hasChromium) test.skip('in Chromium: not installed, see .ci/run', () => undefined);

const EMAIL = 'ada@example.com';
const PASSWORD = 'kestrel umbrella fog';

/** What a description may hold where people write. */
const HOSTILE: readonly string[] = [
  '<img src=x onerror=stolen=1>',
  '"><script>stolen=1</script>',
  '</title><svg onload=stolen=1>',
  'javascript:stolen=1',
  '[here](javascript:stolen=1)',
  '<a href="javascript:stolen=1">here</a>',
  '{{constructor.constructor("stolen=1")()}}',
  '\u202Etxet esrever\u202C',
  '\u0645\u0631\u062D\u0628\u0627',
  'Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334'.repeat(40),
  'w'.repeat(5000),
  ' ',
  '',
  ...Array.from({ length: 187 }, (_, index) => `<b>${index}</b>`.repeat(index)),
];

let service: WholeService;
let chromium: Browser;
let page: Page;
let complaints: readonly string[];
let open: OpenConsole['open'];

const tab = (name: string) =>
  page
    .getByRole('navigation', { name: 'Parts of this server' })
    .getByRole('link', { name })
    .click();
const button = (name: string | RegExp) => page.getByRole('button', { name });
const described = (): string =>
  readFileSync(SAMPLE_DESCRIPTION, 'utf8').replace(
    /http:\/\/127\.0\.0\.1:\d+/,
    service.sampleApiUrl,
  );
const fileOf = (text: string) => ({
  name: 'bookshop.yaml',
  mimeType: 'application/yaml',
  buffer: Buffer.from(text),
});

const faultsOf = () => consoleFaults(page);

const step = inOrder();

inChromium('the console in Chromium, from sign-up to removal', () => {
  beforeAll(async () => {
    [service, chromium] = await Promise.all([
      startWholeService({ endpoints_per_deployment: 6 }),
      launchChromium(),
    ]);
    ({ page, complaints, open } = await openConsole(service, chromium));
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  step('the printed address opens a page that says where to begin', async () => {
    await page.goto(new URL(service.baseUrl).origin);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    expect(page.url()).toBe(`${service.baseUrl}/console/servers`);
    expect(await faultsOf()).toEqual({});
  });

  step('an account is made with a mail and a password', async () => {
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByRole('button').first().click();
    await page.getByText('the mail is the newest file in the folder').waitFor();
    const mail = (await mailsAt(service)).findLast(({ to }) => to === EMAIL);
    await page.goto(mail?.link ?? '');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Password again').fill(PASSWORD);
    await page.getByRole('button').first().click();
    // Nothing is typed again: the browser goes on where it began.
    await page.getByRole('heading', { name: 'No server yet' }).waitFor();
    expect(page.url()).toBe(`${service.baseUrl}/console/servers`);

    await button('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await open('/new');
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password').fill('not this one at all');
    await button('Sign in').click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New server' }).waitFor();
    expect(
      await page.evaluate('Object.keys(localStorage).concat(Object.keys(sessionStorage))'),
    ).toEqual(['account']);
  });

  step('a broken description is reported where it was given', async () => {
    await page.setInputFiles('#description-file', fileOf('openapi: 3.1.0\npaths: ['));
    await page.getByRole('alert').waitFor();

    expect(await page.getByRole('alert').innerText()).toMatch(/line 2|:2/i);
    expect(await faultsOf()).toEqual({});
  });

  step('an address that leads nowhere is reported, and stays in its field', async () => {
    await button('URL').click();
    await page
      .getByLabel('Address of the description')
      .fill('https://nowhere.invalid/openapi.json');
    await button('Preview').click();
    await page.getByRole('alert').waitFor();
    await page.reload();

    expect(await page.getByLabel('Address of the description').inputValue()).toBe(
      'https://nowhere.invalid/openapi.json',
    );
    await button('File').click();
  });

  step('a text is pasted and looked at, and a mistake in it is reported', async () => {
    await button('Pasted text').click();
    await page.getByLabel('Text of the description').fill('openapi: 3.1.0\npaths: [');
    await button('Preview').click();
    expect(await page.getByRole('alert').innerText()).toMatch(/line 2|:2/i);
    await page.getByLabel('Text of the description').fill(described());
    await button('Preview').click();
    await page.getByRole('heading', { name: /What it becomes: Sample Bookshop/ }).waitFor();
    expect(await faultsOf()).toEqual({});
    await button('File').click();
  });

  step('a file is looked at, operations are chosen by tag, and it is published', async () => {
    await page.setInputFiles('#description-file', fileOf(described()));
    await page.getByRole('heading', { name: /What it becomes: Sample Bookshop/ }).waitFor();
    expect(await page.getByText('7 operations').first().isVisible()).toBe(true);
    expect(await faultsOf()).toEqual({});

    await page.getByRole('checkbox', { name: /orders/ }).uncheck();
    await page.getByText('6 tools', { exact: true }).waitFor();
    const { slug } = await service.publish(await service.person(), {
      operations: { include: [], exclude: ['placeOrder'] },
    });
    await page.getByLabel('URL name').fill(slug);
    await page.locator('.fault').getByText('This name is taken.').waitFor();
    expect(await button('Publish').isDisabled()).toBe(true);
    expect(await faultsOf()).toEqual({});
    await page.getByLabel('URL name').fill('my-books');
    await page.reload();
    expect(await page.getByLabel('URL name').inputValue()).toBe('my-books');
    await page.getByText('6 of 7').waitFor();
    await button('Publish').click();
    await page.getByText('Next steps:').waitFor();

    expect(new URL(page.url()).pathname).toBe('/v1/console/servers/my-books/tools');
    expect(await faultsOf()).toEqual({});
  });

  step('a credential is set, shown without its value, and never kept in the browser', async () => {
    await tab('Credentials');
    await page.getByRole('radio', { name: /API key/ }).check();
    await page.getByLabel('Key', { exact: true }).fill('CANARY-4711');
    await button('Set it').click();
    await page.getByText('It is set.').waitFor();
    await page.getByText('Remove it').waitFor();

    expect(
      await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })'),
    ).not.toContain('CANARY');
    expect(await page.locator('body').innerText()).not.toContain('CANARY');
    expect(await faultsOf()).toEqual({});
  });

  step('a second credential has a name, is tested, and is removed by it', async () => {
    await page.getByText('One of several credentials').click();
    await page.getByLabel('Its name').fill('orders-key');
    await page.getByRole('radio', { name: /API key/ }).check();
    await page.getByLabel('Name of the key').fill('X-Orders-Key');
    await page.getByLabel('Key', { exact: true }).fill('CANARY-4712');
    await button('Set it').click();
    const second = page.getByRole('region', { name: 'Credential orders-key' });
    await second.getByText('X-Orders-Key').waitFor();
    await page.getByRole('region', { name: 'Credential main' }).waitFor();
    await second.getByRole('button', { name: 'Test it' }).click();
    await second.getByText('It works').waitFor();
    expect(await faultsOf()).toEqual({});

    await second.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
    await second.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Credential main' }).waitFor();
  });

  step(
    'a credential goes to another host of the description where its box is checked',
    async () => {
      const api = async (method: string, path: string, body?: object, token?: unknown) => {
        const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
          method,
          headers: {
            'content-type': 'application/json',
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>);
      };
      const { access_token: token } = await api('POST', '/sessions', {
        email: EMAIL,
        password: PASSWORD,
      });
      const responses = { 200: { description: 'it' } };
      const servers = [{ url: 'https://uploads.example' }];
      const openapi = {
        openapi: '3.1.0',
        info: { title: 'Two hosts', version: '1' },
        servers: [{ url: 'https://api.example' }],
        paths: {
          '/a': { get: { operationId: 'a', responses } },
          '/b': { get: { operationId: 'b', responses, servers } },
          '/c': { get: { operationId: 'c', responses } },
        },
      };
      await api('POST', '/deployments', { slug: 'two-hosts', openapi }, token);
      const before = page.url();
      await open('/servers/two-hosts/credentials');
      const box = page.getByRole('checkbox', { name: 'https://uploads.example' });
      await box.waitFor();
      expect(await box.isChecked()).toBe(false);
      await page.getByLabel('Token', { exact: true }).fill('sesame-0123456789');
      await button('Set it').click();
      await page.getByText('It is set.').waitFor();
      const origins = async () =>
        (await api('GET', '/deployments/two-hosts/credential', undefined, token))['origins'];
      expect(await origins()).toEqual(['https://api.example']);
      expect(await faultsOf()).toEqual({});

      await box.check();
      await page.getByLabel('Token', { exact: true }).fill('sesame-0123456789');
      await button('Replace it').click();
      await page.locator('dd').getByText('https://uploads.example').waitFor();
      expect(await origins()).toEqual(['https://api.example', 'https://uploads.example']);

      await api('DELETE', '/deployments/two-hosts', undefined, token);
      await page.goto(before);
    },
  );

  step('a tool is found, tried, and its request shown with the credential masked', async () => {
    await tab('Tools');
    await page.getByLabel('Find a tool').fill('list');
    await page.getByRole('link', { name: /listBooks/ }).click();
    expect(await faultsOf()).toEqual({});
    await button('Test').click();
    await page.getByLabel(/^genre/).selectOption('mystery');
    await page.getByLabel(/^limit/).fill('2');
    await button('Call').click();
    await page.getByText('Success', { exact: true }).waitFor();

    expect(await page.getByLabel('Answer', { exact: true }).innerText()).toContain('"books"');
    const sent = await page.getByLabel('The request, secrets masked', { exact: true }).innerText();
    expect(sent).toMatch(/GET .*\/books\?.*genre=mystery/);
    expect(sent).not.toContain('CANARY');
    expect(await faultsOf()).toEqual({});
  });

  step('a tool is renamed, and what that breaks is reported', async () => {
    await button('Change it').click();
    await page.getByLabel('Name', { exact: true }).fill('find_books');
    await button('Save').click();
    await page.getByText('Version 2 is served.').waitFor();

    expect(await page.getByText('A call that worked before may fail now.').isVisible()).toBe(true);
    await page.getByRole('heading', { name: 'find_books' }).waitFor();
    expect(await faultsOf()).toEqual({});
  });

  step(
    'a change that somebody else was faster with is refused, and nothing typed is lost',
    async () => {
      const other = await page.context().newPage();
      await other.goto(`${service.baseUrl}/console/servers/my-books/settings`);
      await other.getByLabel('Name', { exact: true }).waitFor();
      await tab('Settings');
      await page.getByLabel('Name', { exact: true }).fill('Books of mine');
      await other.getByLabel('Name', { exact: true }).fill('Books of others');
      await other.getByRole('button', { name: 'Save' }).click();
      await other.getByRole('heading', { name: 'Books of others' }).waitFor();
      await other.close();
      await button('Save').click();
      await page.getByText('It was changed elsewhere in the meantime.').waitFor();

      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Books of mine');
      await button('Show the present state').click();
      await page.getByRole('heading', { name: 'Books of others' }).waitFor();
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Books of mine');
      await button('Save').click();
      await page.getByRole('heading', { name: 'Books of mine' }).waitFor();
      expect(await faultsOf()).toEqual({});
    },
  );

  step(
    'a session that ends asks to sign in over the page, and what was under way goes on',
    async () => {
      await tab('Access');
      await page.getByRole('radio', { name: 'Public Nobody signs in' }).check();
      await page.context().clearCookies();
      await page.route('**/v1/mcp-management/**', (route) =>
        route.fulfill({ status: 401, body: '{}' }),
      );
      await button('Save').click();
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
      expect(await faultsOf()).toEqual({});
      await page.unroute('**/v1/mcp-management/**');
      await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      // What was under way was a question: strangers would call it with the credential.
      const question = page.getByRole('dialog', { name: 'Let in people you do not know?' });
      await question.waitFor();
      expect(await faultsOf()).toEqual({});
      await question.getByRole('button', { name: 'Let them in' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await button('Save').and(page.locator(':disabled')).waitFor();
      expect(await page.getByRole('radio', { name: 'Public Nobody signs in' }).isChecked()).toBe(
        true,
      );
    },
  );

  step('what is under way is not sent for somebody else who signs in in another tab', async () => {
    const eve = await service.person();
    const other = await page.context().newPage();
    await other.goto(`${service.baseUrl}/console/servers`);
    const signIn = (who: object) =>
      other.evaluate(
        `fetch('/v1/mcp-oauth-server/console/sign-in', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '${JSON.stringify(who)}',
        }).then(({ status }) => status)`,
      );
    const answers: number[] = [];
    page.on('response', (answer) => {
      if (answer.request().method() === 'PATCH') answers.push(answer.status());
    });
    await tab('Settings');
    await page.getByLabel('Name', { exact: true }).fill('Books of Ada');
    expect(await signIn({ email: eve.email, password: eve.password })).toBe(200);
    await button('Save').click();
    await page.getByText('No server yet').waitFor();

    expect(answers).toEqual([401]);
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual(['account']);
    expect(await signIn({ email: EMAIL, password: PASSWORD })).toBe(200);
    await other.close();
    await open('/servers/my-books/settings');
  });

  step('a lost connection, a failure and a limit are shown where they happened', async () => {
    await tab('Settings');
    await page.getByLabel('Name', { exact: true }).fill('Books');
    const tellsOf = async (
      answer: 'abort' | { status: number; headers?: object },
      words: RegExp,
    ) => {
      await page.route('**/v1/mcp-management/**', (route) =>
        answer === 'abort'
          ? route.abort()
          : route.fulfill({ ...answer, headers: { ...answer.headers }, body: '{}' }),
      );
      await button('Save').click();
      await page.locator('form [role=alert]').getByText(words).waitFor();
      await page.unroute('**/v1/mcp-management/**');
    };
    await tellsOf('abort', /could not be reached/);
    await tellsOf({ status: 500 }, /service has failed/);
    await tellsOf({ status: 429, headers: { 'retry-after': '600' } }, /again in 10 min/);

    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Books');
    await button('Undo').click();
  });

  step('a client is connected, and its first call arrives on the page', async () => {
    await tab('Connect');
    const wanted = await page.getByLabel('For Claude Code', { exact: true }).innerText();
    await button('Copy: For Claude Code').click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(wanted);
    expect(wanted).toBe(
      `claude mcp add --transport http my-books ${service.baseUrl}/mcp-router/my-books/messages`,
    );
    expect(await faultsOf()).toEqual({});

    const params = { name: 'getBook', arguments: { book_id: 1 } };
    await service.fetch(`${service.baseUrl}/mcp-router/my-books/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    await page.locator('main code').getByText('getBook', { exact: true }).waitFor();
    expect(await page.locator('main code').getByText('find_books', { exact: true }).count()).toBe(
      0,
    );
    await button('Copy: the link for colleagues').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `${service.baseUrl}/mcp-router/my-books/docs`,
    );
  });

  step('what may keep a client away is looked for on request', async () => {
    await button('Check the connection').click();
    await button('Look again').waitFor();

    expect(await faultsOf()).toEqual({});
  });

  step(
    'calls are drawn as charts with their numbers and listed one by one, each with who made it',
    async () => {
      await service.tally();
      await tab('Activity');
      await page.locator('.plot canvas').nth(2).waitFor();
      expect(await faultsOf()).toEqual({});
      await page.getByText('The numbers of “Calls by hour”').click();
      await page.getByRole('columnheader', { name: 'Calls' }).first().waitFor();
      await page.getByRole('button', { name: 'getBook', exact: true }).click();
      await page.getByText('Tool: getBook').waitFor();
      await page.getByRole('button', { name: '127.0.0.1', exact: true }).click();
      await page.getByText('Person: 127.0.0.1').waitFor();
      await page.locator('.plot canvas').nth(2).waitFor();
      expect(await faultsOf()).toEqual({});

      await page.locator('.call-row').first().click();
      const dialog = page.getByRole('dialog', { name: 'getBook' });
      await dialog.getByText('127.0.0.1').first().waitFor();
      expect(await faultsOf()).toEqual({});
      await dialog.getByRole('button', { name: 'Close' }).click();
    },
  );

  step('the plan, clients and sessions of the signed-in user are shown', async () => {
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByText('Requests this month').waitFor();
    expect(await faultsOf()).toEqual({});
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText('this one').waitFor();
    expect(await faultsOf()).toEqual({});
    await open('/servers/my-books/content');
  });

  step(
    'a prompt is written, its faults are shown at their fields, and it is rendered',
    async () => {
      await tab('Resources & prompts');
      expect(await faultsOf()).toEqual({});
      await page.getByRole('link', { name: 'Add a prompt' }).click();
      await page.getByLabel('Name', { exact: true }).fill('ask');
      await page.getByLabel('Template').fill('Which books about {{topic}?');
      await page.locator('.fault').getByText('line 1, column 26').waitFor();
      expect(await faultsOf()).toEqual({});
      await page.getByLabel('Template').fill('Which books about {{topic}}?');
      await page.locator('.fault').getByText('is not among the arguments').waitFor();
      await button('Add topic').click();
      await page.getByText('Which books about ‹topic›?').waitFor();
      await page.getByLabel(/^topic/).fill('ravens');
      await page.getByText('Which books about ravens?').waitFor();
      expect(await page.locator('.fault').count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe('/v1/console/servers/my-books/content/prompts');

      await page.reload();
      await page.getByText('Which books about ravens?').waitFor();
      await button('Save').click();
      await page.waitForURL('**/content/prompts/ask');
      await page.getByText('Which books about ravens?').waitFor();
      await page.getByLabel('Template').fill('Books about {{topic}}, please.');
      await page.getByText('Books about ravens, please.').waitFor();

      expect(await faultsOf()).toEqual({});
    },
  );

  step('a resource is added', async () => {
    await page.getByRole('link', { name: 'All content' }).click();
    await page.getByRole('link', { name: 'Add a resource' }).click();
    await page.getByLabel('Name', { exact: true }).fill('guide');
    await page.getByLabel('URI').fill('docs://guide');
    await page.getByLabel('Content', { exact: true }).fill('<img src=x onerror=alert(1)>');
    expect(await faultsOf()).toEqual({});
    await button('Save').click();
    await page.getByRole('link', { name: 'guide' }).click();

    expect(await page.getByLabel('Content', { exact: true }).inputValue()).toContain('<img');
  });

  step('a new version shows its difference first; the one before can be returned to', async () => {
    await tab('Versions');
    const changed = described()
      .replace('operationId: getBookCover', 'operationId: showCover')
      .replace('operationId: getBook\n', 'operationId: readBook\n');
    await page.setInputFiles('#version-file', fileOf(changed));
    await page.getByText('A call that works now may fail with it.').waitFor();
    await page.getByText('2 tools renamed').waitFor();
    await page.getByText(/· \d+ calls? in the last 30 days/).waitFor();
    await page.getByText('· not called in the last 30 days').waitFor();
    expect(await faultsOf()).toEqual({});
    await page.getByLabel('Comment').fill('Two operations have new names.');
    await button(/Publish as version/).click();
    await page.getByText(/Version \d is served\./).waitFor();
    await page.getByText('Two operations have new names.').waitFor();
    await page.getByText('made by you').first().waitFor();
    await tab('Activity');
    await page.getByText(`${EMAIL} published a description`).first().waitFor();
    await page.getByText(`${EMAIL} set the credential`).first().waitFor();
    await tab('Versions');

    await button('Compare versions').click();
    await page.getByLabel('From').selectOption('1');
    await page.getByLabel('To', { exact: true }).selectOption('2');
    await page
      .getByText(/call that works with version 1 (may fail|works) with version 2\./)
      .waitFor();
    expect(await faultsOf()).toEqual({});

    await button('Roll back (version 2)').click();
    await page.getByText('A call that works now may fail then.').waitFor();
    expect(await faultsOf()).toEqual({});
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Version 2 is served.').waitFor();
  });

  step('an overlay is looked at before it is published, and can be taken away', async () => {
    const overlay = {
      overlay: '1.1.0',
      info: { title: 'Mended', version: '1' },
      actions: [{ target: '$.info', update: { description: 'Mended.' } }],
    };
    const look = async () => {
      await page.getByLabel('One more overlay').fill(JSON.stringify(overlay));
      await button('Preview with it').click();
      await page.getByText('Mended: 1 of 1 action applied').waitFor();
    };
    await look();
    expect(await faultsOf()).toEqual({});
    // Of another text than the one that was looked at nothing is shown, and nothing published.
    await page.getByLabel('One more overlay').fill('{}');
    expect(await button(/Publish as version/).count()).toBe(0);
    await look();
    await button(/Publish as version/).click();
    await page.getByText('Overlay 1').waitFor();

    await button('Preview without it').click();
    await button(/Publish as version/).click();
    await page.getByText('Overlay 1').waitFor({ state: 'detached' });
  });

  step('a server is removed once its name has been typed, with the keyboard alone', async () => {
    await tab('Settings');
    await button('Remove it').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('my-books');
    expect(await faultsOf()).toEqual({});
    await page.keyboard.press('Enter');
    await page.getByText('No server yet').waitFor();

    expect(await faultsOf()).toEqual({});
  });

  step('a description of hostile texts is shown as text, and no script of it runs', async () => {
    await open('/new');
    const texts = HOSTILE.map((text, index) => [index, text] as const);
    const paths = Object.fromEntries(
      texts.map(([index, text]) => [
        `/p${index}`,
        {
          get: {
            operationId: `op${index}`,
            summary: text,
            description: text,
            tags: [text || 'none'],
            parameters: [{ name: 'q', in: 'query', description: text, schema: { type: 'string' } }],
            responses: { 200: { description: text } },
          },
        },
      ]),
    );
    const info = { title: HOSTILE[0], version: '1', description: HOSTILE[0] };
    const servers = [{ url: 'https://api.example.com' }];
    await page.setInputFiles('#description-file', {
      name: '<img src=x onerror=stolen=1>.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ openapi: '3.1.0', info, servers, paths })),
    });
    await page.getByText('GET /p0').first().waitFor();

    expect(await page.evaluate('typeof stolen')).toBe('undefined');
    expect(await page.locator('main img, main iframe, main script, main [onerror]').count()).toBe(
      0,
    );
    expect(await faultsOf()).toEqual({});
  });

  step('signing out forgets everything', async () => {
    await button('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  step('no policy was violated, and no script has failed, on the whole way', () => {
    expect(complaints).toEqual([]);
  });
});
