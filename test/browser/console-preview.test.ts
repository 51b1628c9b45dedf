import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { signedIn, type SignedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const responses = {
  200: {
    description: 'Done.',
    content: {
      'application/json': { schema: { type: 'object', properties: { id: { type: 'string' } } } },
    },
  },
};

/** An API of 350 operations: ten kinds of things, each read and changed. */
const LARGE = {
  openapi: '3.1.0',
  info: { title: 'Large', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: Object.fromEntries(
    Array.from({ length: 175 }, (_, at) => [
      `/v1/${at < 18 ? 'customers' : `things${at % 10}`}/${at}`,
      {
        get: { operationId: `get${at}`, tags: ['read'], responses },
        post: { operationId: `post${at}`, tags: ['change'], responses },
      },
    ]),
  ),
};

const file = (description: object) => ({
  name: 'api.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(description)),
});

inChromium('the preview before publication', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([
      startWholeService({ active_deployments_per_user: 1000, endpoints_per_deployment: 100 }),
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

  const publish = () => page.getByRole('button', { name: 'Publish', exact: true });
  const lookAt = async (description: typeof LARGE | Omit<typeof LARGE, 'servers'>) => {
    await console.open('/new');
    await page.setInputFiles('#description-file', file(description));
    const name = `2. What it becomes: ${description.info.title}`;
    await page.getByRole('heading', { name }).waitFor();
  };

  test('is of what is chosen, and of the mode, without being asked for', async () => {
    await lookAt(LARGE);
    await page.getByText('3 tools that search 350 operations').waitFor();

    await page.getByLabel('Find an operation').fill('/v1/customers');
    await page.getByText('36 shown').first().waitFor();
    await page.getByLabel('Method').selectOption('GET');
    await console.press('Leave out the 18 shown');
    await page.getByText('3 tools that search 332 operations').waitFor();
    await page.getByText('Search mode, with 332 operations').waitFor();
    await page.getByLabel('Find an operation').fill('');
    await page.getByLabel('Method').selectOption('');
    await console.press('None');
    await page.getByText('The selection leaves no operation.').first().waitFor();
    expect(await publish().isDisabled()).toBe(true);
    expect(await page.getByText(/accepts all|can still be published/).count()).toBe(0);

    await page.getByLabel('Find an operation').fill('/v1/customers');
    await page.getByLabel('Method').selectOption('GET');
    await console.press('Choose the 18 shown');
    await page.getByText('18 tools', { exact: true }).waitFor();
    await page.getByText('Claude accepts all').waitFor();
    await page.getByText('18 tools, about').waitFor();
    expect(await page.getByText('What some clients do').count()).toBe(0);
    expect(await publish().isEnabled()).toBe(true);
    expect(await page.getByRole('radio', { name: /^A tool for each/ }).isChecked()).toBe(true);

    await page.getByRole('radio', { name: /^Search mode/ }).check();
    await page.getByText('3 tools that search 18 operations').waitFor();
    expect(await consoleFaults(page)).toEqual({});
    await page.getByLabel('URL name').fill('customers');
    await publish().click();
    await page.getByText('Next steps:').waitFor();
    // A path and a method say it: an entry for them all, and for what later versions bring there.
    expect((await owner.send('GET', '/deployments/customers')).body).toMatchObject({
      tool_count: 18,
      tool_mode: 'search',
      operations: { include: ['GET /v1/customers*'], exclude: [] },
    });
  });

  test('without a server says what is missing beside the field, and publishes once it is there', async () => {
    const { servers: _, ...nowhere } = LARGE;
    await lookAt({ ...nowhere, info: { title: 'Nowhere', version: '1' } });
    await page.getByText('It cannot be published like this.').waitFor();
    await page.locator('.fault').getByText('Give the address that the API is called at.').waitFor();
    expect(await publish().isDisabled()).toBe(true);
    expect(await page.getByText(/accepts all|can still be published/).count()).toBe(0);
    expect(await consoleFaults(page)).toEqual({});

    await page.getByLabel('Base URL of the API').fill('https://api.example.com/v2');
    await page.getByText('Search mode, with 350 operations').waitFor();
    expect(await publish().isEnabled()).toBe(true);

    await page.getByRole('radio', { name: /^A tool for each/ }).check();
    await page.getByText('What some clients do with these tools').click();
    await page.getByText(/^OpenAI has no room for 222 tools/).waitFor();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
