import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import {
  brokenWords,
  consoleFaults,
  type OpenConsole,
  openConsole,
} from '../support/pages/console.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

/** An API of which nearly everything is wrong that may be wrong and still be published. */
const faulty = {
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  servers: [{ url: 'http://api.example.com' }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    schemas: { Parcel: { type: 'object', properties: { name: { type: 'strin' } } } },
  },
  paths: {
    '/parcels': {
      get: {
        operationId: 'listParcels',
        parameters: [{ name: 'state', in: 'query', schema: { type: 'string', pattern: '([a' } }],
        responses: { 200: { description: 'All.' } },
      },
      post: {
        operationId: 'addParcel',
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Parcel' } },
            'application/x-unheard-of': {},
          },
        },
        responses: { 200: { description: 'Added.' } },
      },
    },
    '/tokens': {
      post: {
        operationId: 'newToken',
        responses: {
          200: {
            description: 'One.',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { access_token: { type: 'string' } } },
              },
            },
          },
        },
      },
    },
  },
};

/** None of these can be published. */
const BROKEN: Readonly<Record<string, string>> = {
  'nothing that describes an API': '{"a": 1}',
  'a reference to another file': JSON.stringify({
    ...faulty,
    paths: { '/a': { get: { parameters: [{ $ref: 'other.yaml#/x' }], responses: {} } } },
  }),
  'a version that there is not': JSON.stringify({ ...faulty, openapi: '4.0.0' }),
  'no operations': JSON.stringify({ ...faulty, paths: {} }),
  'a circle': JSON.stringify({
    ...faulty,
    components: { parameters: { a: { $ref: '#/components/parameters/a' } } },
    paths: {
      '/a': { get: { parameters: [{ $ref: '#/components/parameters/a' }], responses: {} } },
    },
  }),
  'wrong fields': JSON.stringify({
    ...faulty,
    paths: { 'no-slash': { get: { parameters: [{ in: 'nowhere' }], responses: 3 } } },
  }),
};

inChromium('what the service says of faults, on the pages of the console', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    owner = await signedIn(service);
    const made = await owner.send('POST', '/deployments', {
      slug: 'parcels',
      name: 'Parcels',
      openapi: faulty,
      api_base_url: 'https://api.example.com',
    });
    expect(made.status).toBe(201);
    console = await openConsole(service, chromium);
    page = console.page;
    page.setDefaultTimeout(20_000);
    await console.signIn(owner.person);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  const alert = () => page.locator('[role=alert], .fault').first().waitFor();

  test.each(Object.entries(BROKEN))('a description with %s', async (_, text) => {
    await console.open('/new');
    await console.press('Pasted text');
    await page.getByLabel('Text of the description').fill(text);
    await console.press('Preview');
    await alert();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('an empty file is said to be empty, and not to be too long', async () => {
    await console.open('/new');
    await page.getByRole('button', { name: 'File', exact: true }).click();
    const buffer = Buffer.from('');
    await page.setInputFiles('#description-file', {
      name: 'a.yaml',
      mimeType: 'text/yaml',
      buffer,
    });
    await page.getByRole('alert').getByText('the description is empty').waitFor();
    expect(await page.getByText('too long').count()).toBe(0);
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a description that leaves much to be wished for', async () => {
    await console.open('/new');
    await console.press('Pasted text');
    await page.getByLabel('Text of the description').fill(JSON.stringify(faulty));
    await console.press('Preview');
    await page.getByRole('heading', { name: /What it becomes: Parcels/ }).waitFor();
    const more = page.getByRole('button', { name: /^Show all/ });
    if (await more.isVisible()) await more.click();
    expect(await page.locator('.findings li').count()).toBeGreaterThan(2);
    expect(await consoleFaults(page)).toEqual({});
  });

  test('settings that cannot be', async () => {
    await console.open('/servers/parcels/settings');
    await page.getByLabel('Base URL of the API').fill('ftp://nowhere');
    await page.getByLabel('Tokens that an answer may take').fill('3');
    await page.getByLabel('Headers that go with each call').fill('Authorization: mine');
    await console.press('Save');
    await alert();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a credential for a host that is none', async () => {
    await console.open('/servers/parcels/credentials');
    await page.getByRole('radio', { name: /API key/ }).check();
    await page.getByLabel('Key', { exact: true }).fill('Shohx9eiGh4Ai');
    await page.locator('summary', { hasText: 'Hosts that it is sent to' }).click();
    await page.getByLabel('Hosts that it is sent to').fill('nowhere at all/');
    await console.press('Set it');
    await alert();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('lines of an allow list that let in nobody', async () => {
    await console.open('/servers/parcels/access');
    await page.getByRole('radio', { name: /^These people/ }).check();
    await page
      .getByLabel('Addresses and domains')
      .fill('not an address!!\n*@example.org\nexample..org');
    await console.press('Save');
    await alert();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a name that another tool has, and members that no answer has', async () => {
    await console.open('/servers/parcels/tools?tool=listParcels&view=change');
    await page.getByLabel('Name', { exact: true }).fill('addParcel');
    await console.press('Save');
    await alert();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a prompt whose template ends too early', async () => {
    await console.open('/servers/parcels/content/prompts');
    await page.getByLabel('Name', { exact: true }).first().fill('not a name');
    await page.getByLabel('Template').fill('Hello {{#if who}}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await alert();
    expect(await consoleFaults(page)).toEqual({});
  });

  test.each([
    'connect',
    'versions',
    'activity',
    'tools',
    'access',
    'content',
    'credentials',
    'settings',
  ])('the page %s of a server that many things are wrong with', async (part) => {
    await console.open(`/servers/parcels/${part}`);
    await page.locator('main h2').first().waitFor();
    if (part === 'connect') {
      await console.press('Check the connection');
      await page.locator('.events li').first().waitFor();
    }
    for (const summary of await page.locator('details:not([open]) > summary').all()) {
      if (await summary.isVisible()) await summary.click();
    }
    expect(await consoleFaults(page)).toEqual({});
    expect(await brokenWords(page)).toEqual([]);
  });

  test.each(['servers', 'usage', 'account'])('no word of the page %s is broken', async (path) => {
    await console.open(`/${path}`);
    await page.locator('main h1').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await brokenWords(page)).toEqual([]);
  });

  test.each([
    [799, []],
    [800, ['800 of 1,000 requests of this hour are used.']],
    [1000, ['All 1,000 requests of this hour are used. Your calls are refused until .+:00.']],
  ])(
    'of a plan with %i of 1000 requests used, each page of a server says %j',
    async (used, said) => {
      await page.route('**/mcp-management/account', async (route) => {
        const account = await (await route.fetch()).json();
        const { hour, month } = account.usage;
        const usage = {
          hour: { ...hour, used, limit: 1000 },
          month: { ...month, used: 0, limit: 50_000 },
        };
        await route.fulfill({ json: { ...account, usage } });
      });
      await console.open('/servers/parcels/settings');
      await page.getByRole('heading', { name: 'Pause and remove' }).waitFor();
      await page.waitForLoadState('networkidle');
      const notes = page.locator('strong', { hasText: 'requests of this hour' });
      expect(await notes.allInnerTexts()).toEqual(said.map((text) => expect.stringMatching(text)));
      await page.unrouteAll();
    },
  );

  test('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
