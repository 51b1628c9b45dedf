import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

/** An API with one GET of each name, all under one tag. */
const description = (...names: readonly string[]) => ({
  name: 'orders.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      servers: [{ url: 'https://api.example.com' }],
      paths: Object.fromEntries(
        names.map((name) => [
          `/${name}`,
          {
            get: {
              operationId: name,
              tags: ['orders'],
              responses: { 200: { description: 'Done.' } },
            },
          },
        ]),
      ),
    }),
  ),
});

inChromium('choosing operations in the console', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([
      startWholeService({ endpoints_per_deployment: 5, active_deployments_per_user: 1000 }),
      launchChromium(),
    ]);
    owner = await signedIn(service);
    console = await openConsole(service, chromium);
    page = console.page;
    await console.signIn(owner.person);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  const stateOf = async (slug: string) => (await owner.send('GET', `/deployments/${slug}`)).body;
  const lookAt = async (file: ReturnType<typeof description>) => {
    await console.open('/new');
    await page.setInputFiles('#description-file', file);
    await page.getByRole('heading', { name: /What it becomes: Orders/ }).waitFor();
  };
  const publishAs = async (slug: string) => {
    await page.getByLabel('URL name').fill(slug);
    await console.press('Publish');
    await page.getByText('Next steps:').waitFor();
  };
  /** Shows the list of single operations where it is closed. */
  const operation = async (name: string) => {
    const closed = page.locator('details:not([open]) > summary', { hasText: 'One by one' });
    if (await closed.isVisible()) await closed.click();
    return page.getByRole('checkbox', { name: `GET /${name}` });
  };

  test('what is left out stays left out, and versions bring what is new, with a warning for what is gone', async () => {
    await lookAt(description('list', 'boom', 'find'));
    await (await operation('boom')).uncheck();
    await publishAs('leaves-out');
    expect(await stateOf('leaves-out')).toMatchObject({
      operations: { include: [], exclude: ['boom'] },
      tool_count: 2,
    });

    await console.open('/servers/leaves-out/versions');
    const file = description('list', 'find', 'more');
    await page.getByLabel('File of the new version').setInputFiles(file);
    await page.getByText('1 tool added').waitFor();
    await page.getByText('1 warning').click();
    await page.getByText('"boom" names no operation of this version any more').waitFor();
    expect(await consoleFaults(page)).toEqual({});
    await console.press('Publish as version 2');
    await page.getByText('Version 2 is served.').waitFor();
    expect(await stateOf('leaves-out')).toMatchObject({ version: 2, tool_count: 3 });
  });

  test('operations of a server are chosen anew without another description', async () => {
    await console.open('/servers/leaves-out/tools');
    await page.getByRole('link', { name: 'Choose operations' }).click();
    await (await operation('find')).uncheck();
    const publish = page.getByRole('button', { name: 'Publish as version 3' });
    await page.getByText('1 tool removed').waitFor();
    expect(await consoleFaults(page)).toEqual({});
    await publish.click();
    await page.getByText('Version 3 is served.').waitFor();
    expect(await stateOf('leaves-out')).toMatchObject({
      version: 3,
      tool_count: 2,
      operations: { include: [], exclude: ['boom', 'find'] },
    });
  });

  test('operations that were chosen by name and are all gone are chosen anew where the version is made', async () => {
    await lookAt(description('list', 'boom', 'find'));
    await console.press('None');
    await (await operation('find')).check();
    await publishAs('chosen');
    expect(await stateOf('chosen')).toMatchObject({ operations: { include: ['find'] } });

    await console.open('/servers/chosen/versions');
    const file = description('list', 'search');
    await page.getByLabel('File of the new version').setInputFiles(file);
    await page.getByText('The selection leaves no operation.').waitFor();
    await (await operation('search')).check();
    await console.press('Publish as version 2');
    await page.getByText('Version 2 is served.').waitFor();
    expect(await stateOf('chosen')).toMatchObject({
      version: 2,
      tool_count: 1,
      operations: { include: ['find', 'search'], exclude: [] },
    });
  });

  test('more operations than a list of tools may have are searched, and can be chosen instead', async () => {
    const names = ['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7'];
    await lookAt(description(...names));
    await page.getByText('7 operations are too many for a list of tools').waitFor();
    await page.getByText('3 tools that search 7 operations').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('radio', { name: /^Search mode/ }).isChecked()).toBe(true);
    expect(await consoleFaults(page)).toEqual({});
    await publishAs('searched');
    expect(await stateOf('searched')).toMatchObject({ tool_mode: 'search', tool_count: 7 });

    await lookAt(description(...names));
    await page.getByRole('radio', { name: /^A tool for each operation/ }).check();
    await (await operation('a1')).uncheck();
    await page
      .getByText('The description has 6 operations, at most 5 are allowed.')
      .first()
      .waitFor();
    await page.getByText('It cannot be published like this.').waitFor();
    expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    await (await operation('b2')).uncheck();
    await page.getByText('5 tools', { exact: true }).waitFor();
    await publishAs('listed');
    expect(await stateOf('listed')).toMatchObject({
      tool_mode: 'operations',
      operations: { include: [], exclude: ['a1', 'b2'] },
    });
  });

  test('a description whose calls would all be refused says so before it is published, with the way out', async () => {
    await owner.send('PUT', '/deployments/listed/credential', {
      type: 'bearer',
      token: 'aeT3zah9Ohsh7',
    });
    await console.open('/servers/listed/versions');
    const { buffer, ...file } = description('c3', 'd4');
    const moved = Buffer.from(buffer.toString().replace('api.example.com', 'api.example.net'));
    await page.getByLabel('File of the new version').setInputFiles({ ...file, buffer: moved });
    await page.getByText('None of the 2 tools could be called.').waitFor();
    await page.getByText('The API moves:').waitFor();
    expect(await consoleFaults(page)).toEqual({});
    await console.press('Allow this host');
    await page.getByRole('heading', { name: 'Replace the credential' }).waitFor();
    expect(await page.getByLabel('Hosts that it is sent to').inputValue()).toBe(
      'https://api.example.com\nhttps://api.example.net',
    );
  });

  test('a description whose calls would not be encrypted gets its https address with one press', async () => {
    const { buffer, ...file } = description('c3', 'd4');
    const plain = Buffer.from(buffer.toString().replace('https://', 'http://'));
    await lookAt({ ...file, buffer: plain });
    await page.getByText('None of the 2 tools could be called.').waitFor();
    expect(await consoleFaults(page)).toEqual({});
    await console.press('Use https://api.example.com');
    await page.getByText('None of the 2 tools could be called.').waitFor({ state: 'detached' });
    await publishAs('encrypted');
    expect(await stateOf('encrypted')).toMatchObject({ api_base_url: 'https://api.example.com' });
  });

  test('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
