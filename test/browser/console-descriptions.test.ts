import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { type OpenConsole, openConsole, widthFaults } from '../support/pages/console.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const FOLDER = new URL('../../../shared/openapi/', import.meta.url);
const ALL = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter((name) => /\.(json|ya?ml)$/.test(name))
  : [];
/** Circles, no operationIds, multipart, every style, OpenAPI 3.2, and more operations than are allowed. */
const TRAPS = [
  'instagram.yaml',
  'readme-file-uploads.yaml',
  'readme-parameters-style-31.yaml',
  'readme-schema-circular-30.json',
  'redocly-cafe-32.yaml',
  'trello.yaml',
];
const files = process.env['ALL_DESCRIPTIONS'] ? ALL : TRAPS.filter((name) => ALL.includes(name));

const inChromium = hasChromium && files.length > 0 ? describe : describe.skip;
if (files.length === 0) test.skip('real descriptions: there are none beside the project', () => {});

const CHOSEN = 5;

inChromium('a real description in the console', () => {
  let service: WholeService;
  let chromium: Browser;
  let console: OpenConsole;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([
      startWholeService({ endpoints_per_deployment: 50, active_deployments_per_user: 100 }),
      launchChromium(),
    ]);
    console = await openConsole(service, chromium);
    await console.signIn(await service.person());
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  /** What is wrong with a page, whatever it shows. */
  const pageFaults = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { page, complaints } = console;
    const headings = await page.locator('h1').allInnerTexts();
    return {
      ...(await widthFaults(page)),
      ...((headings.length !== 1 || headings[0]?.trim() === '') && { headings }),
      ...(complaints.length > 0 && { complaints }),
    };
  };

  /** Fewer than the service allows, by hand. */
  const chooseFewer = async (): Promise<void> => {
    const { page, press } = console;
    await press('None');
    const closed = page.locator('details:not([open]) > summary', { hasText: 'One by one' });
    if (await closed.isVisible()) await closed.click();
    const operations = page
      .getByRole('list', { name: 'Operations', exact: true })
      .getByRole('checkbox');
    for (let index = 0; index < CHOSEN; index += 1) await operations.nth(index).check();
    await page.getByRole('radio', { name: /^A tool for each operation/ }).check();
    await page.getByText(`${CHOSEN} tools`, { exact: true }).waitFor();
  };

  test.each(files)('%s is looked at, published, and shows its tools', async (name) => {
    const { page, open, press } = console;
    await open('/new');
    await page.setInputFiles('#description-file', fileURLToPath(new URL(name, FOLDER)));
    await page.getByRole('heading', { name: /What it becomes: ./ }).waitFor();
    expect(await pageFaults()).toEqual({});

    if (await page.getByText('are too many for a list of tools').isVisible()) await chooseFewer();
    const base = page.getByLabel('Base URL of the API');
    if (await base.isVisible()) await base.fill('https://api.example.com');
    await press('Publish');
    await page.getByText('Next steps:').waitFor();
    await page.getByRole('link', { name: 'Tools', exact: true }).click();
    const tool = page.getByRole('list', { name: 'Tools', exact: true }).getByRole('link').first();
    const title = (await tool.locator('.name').innerText()).trim();
    await tool.click();
    await page.getByRole('heading', { name: title, exact: true }).waitFor();

    expect(new URL(page.url()).pathname).toMatch(/\/servers\/[^/]+\/tools$/);
    expect(await pageFaults()).toEqual({});
  });
});
