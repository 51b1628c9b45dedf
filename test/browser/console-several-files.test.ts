import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const API = `openapi: 3.0.3
info: { title: Parcels, version: '1' }
servers: [{ url: https://api.example.com }]
paths:
  /parcels:
    get: { operationId: listParcels, responses: { 200: { $ref: answers.yaml#/Fine } } }
`;
const ANSWERS = 'Fine: { description: fine }\n';

const file = (name: string, text: string) => ({
  name,
  mimeType: 'application/yaml',
  buffer: Buffer.from(text),
});

inChromium('descriptions of several files in the console', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    owner = await signedIn(service);
    console = await openConsole(service, chromium);
    page = console.page;
    page.setDefaultTimeout(20_000);
    await console.signIn(owner.person);
    await console.open('/new');
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  test('a file that needs another says which, and how to give them together', async () => {
    await page.setInputFiles('#description-file', file('api.yaml', API));
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByRole('alert').first().innerText()).toContain(
      'Choose all of its files together, or drop their folder.',
    );
    await page.setInputFiles('#description-file', [
      file('api.yaml', API),
      file('other.yaml', ANSWERS),
    ]);
    await page.getByText('there is no such file among them').waitFor();
    expect(await consoleFaults(page)).toEqual({});
  });

  test('files that are chosen together are published as one description', async () => {
    await page.setInputFiles('#description-file', [
      file('answers.yaml', ANSWERS),
      file('api.yaml', API),
    ]);
    await page.getByRole('heading', { name: /What it becomes: Parcels/ }).waitFor();
    await page.getByText('api.yaml with 1 more').first().waitFor();
    expect(await consoleFaults(page)).toEqual({});
    await page.getByLabel('URL name').fill('parcels');
    await console.press('Publish');
    await page.getByText('Next steps:').waitFor();
    expect((await owner.send('GET', '/deployments/parcels')).body).toMatchObject({ tool_count: 1 });
  });

  test('an archive of them becomes the next version', async () => {
    const files = {
      'parcels/api.yaml': API.replace('listParcels', 'allParcels'),
      'parcels/answers.yaml': ANSWERS,
    };
    const archive = zipSync(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])),
    );
    await console.open('/servers/parcels/versions');
    await page.getByLabel('File of the new version').setInputFiles({
      name: 'parcels.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(archive),
    });
    await page.locator('li', { hasText: 'listParcels is allParcels now' }).waitFor();
    await console.press('Publish as version 2');
    await page.getByText('Version 2 is served.').waitFor();
  });

  test('an archive that is damaged is said to be, and what is served stays', async () => {
    await page.getByLabel('File of the new version').setInputFiles({
      name: 'parcels.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from('PK nothing'),
    });
    await page.getByText('parcels.zip cannot be unpacked.').waitFor();
    expect(await consoleFaults(page)).toEqual({});
    expect((await owner.send('GET', '/deployments/parcels')).body).toMatchObject({ version: 2 });
  });

  test('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
