import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const names = Array.from({ length: 60 }, (_, index) => `item${index}`);
const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: Object.fromEntries(
    names.map((name, index) => [
      `/${name}`,
      {
        [index === 59 ? 'delete' : 'get']: {
          operationId: name,
          summary: `Something about ${name}`,
          responses: { 200: { description: 'Done.' } },
        },
      },
    ]),
  ),
};

inChromium('editing many tools in the console', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([
      startWholeService({ endpoints_per_deployment: 100 }),
      launchChromium(),
    ]);
    owner = await signedIn(service);
    const overrides = { item1: { keywords: ['first'] }, item2: { hidden: true, name: 'second' } };
    const wanted = { slug: 'orders', name: 'Orders', openapi: OPENAPI, overrides };
    expect((await owner.send('POST', '/deployments', wanted)).status).toBe(201);
    console = await openConsole(service, chromium);
    page = console.page;
    page.setDefaultTimeout(20_000);
    await console.signIn(owner.person);
    await console.open('/servers/orders/tools');
    await page.getByRole('link', { name: 'Edit many' }).click();
    await page.getByRole('heading', { name: 'Edit many tools' }).waitFor();
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  const stateOf = async () => (await owner.send('GET', '/deployments/orders')).body;
  const find = (words: string) => page.getByLabel('Find a tool').fill(words);
  const offer = (operation: string) =>
    page.getByRole('checkbox', { name: `Offer ${operation}`, exact: true });

  const isFocused = (field: Locator): Promise<boolean> =>
    field.evaluate((one) => one.matches(':focus'));
  /** It is in view, and what is typed goes into it. */
  const expectFocus = async (field: Locator): Promise<void> => {
    for (let tries = 0; tries < 100 && !(await isFocused(field)); tries += 1) {
      await page.waitForTimeout(50);
    }
    expect(await isFocused(field)).toBe(true);
    const { y = -1 } = (await field.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(800);
  };

  test('begins with what there is, hidden tools among it, and draws what it is asked for', async () => {
    const rows = page.getByRole('list', { name: 'Operations', exact: true }).getByRole('listitem');
    await page.getByText('60 operations', { exact: true }).waitFor();
    expect(await rows.count()).toBe(50);
    expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true);
    await console.press('Show 10 more');
    expect(await rows.count()).toBe(60);
    expect(await offer('item2').isChecked()).toBe(false);
    expect(await consoleFaults(page)).toEqual({});
  });

  test('a name that is none and one that is taken are refused in their rows, and nothing typed is lost', async () => {
    const first = page.getByLabel('Name of GET /item0', { exact: true });
    await first.fill('not a name');
    await page.getByLabel('Name of GET /item1', { exact: true }).fill('item3');
    await page.getByLabel('Description of GET /item1', { exact: true }).fill('The first.');
    await console.press('Save 2 changes');
    await page.locator('.edit-tools .fault').first().waitFor();
    expect(await first.getAttribute('aria-invalid')).toBe('true');
    await expectFocus(first);
    expect(await first.inputValue()).toBe('not a name');
    expect(await consoleFaults(page)).toEqual({});
    await first.fill('zeroth');
    await console.press('Save 2 changes');
    await page.getByText('taken by another tool').waitFor();
    await expectFocus(page.getByLabel('Name of GET /item1', { exact: true }));
    expect(await stateOf()).toMatchObject({ version: 1 });
  });

  test('what was typed survives a reload, and becomes one version that keeps what is not shown here', async () => {
    await page.reload();
    const second = page.getByLabel('Name of GET /item1', { exact: true });
    expect(await second.inputValue()).toBe('item3');
    await second.fill('one');
    await find('item5');
    await console.press('Hide these');
    await find('');
    await console.press(/^Save \d+ changes/);
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
    const { version, overrides, tool_count: count } = await stateOf();

    expect(version).toBe(2);
    // item5 and item50 to item59 are hidden now, item2 was.
    expect(count).toBe(60 - 12);
    expect(overrides).toMatchObject({
      item0: { name: 'zeroth' },
      item1: { name: 'one', description: 'The first.', keywords: ['first'] },
      item2: { hidden: true, name: 'second' },
      item59: { hidden: true },
    });
    expect(await consoleFaults(page)).toEqual({});
  });

  test('tools are offered again with the changes that they had, and empty fields undo theirs', async () => {
    await offer('item2').check();
    await page.getByLabel('Name of GET /item0', { exact: true }).fill('');
    await console.press('Save 2 changes');
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
    const { overrides } = await stateOf();

    expect(overrides).toMatchObject({ item2: { name: 'second' } });
    expect(overrides).not.toHaveProperty('item0');
    expect(overrides).not.toHaveProperty('item2.hidden');
  });

  test('fields have the real texts, of which one word can be changed and the original comes back', async () => {
    await find('item7');
    const texts = page.getByLabel('Description of GET /item7', { exact: true });
    const before = await texts.inputValue();
    expect(before).toContain('Something about item7');
    await texts.fill(before.replace('Something', 'All'));
    await console.press('Save 1 change');
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
    expect(await stateOf()).toMatchObject({
      overrides: { item7: { description: before.replace('Something', 'All') } },
    });
    expect((await stateOf()).overrides).not.toHaveProperty('item7.name');
    await page.getByRole('button', { name: 'Reset Description of GET /item7' }).click();
    await console.press('Save 1 change');
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
    for (let tries = 0; tries < 100 && (await texts.inputValue()) !== before; tries += 1) {
      await page.waitForTimeout(50);
    }
    expect(await texts.inputValue()).toBe(before);
    expect((await stateOf()).overrides).not.toHaveProperty('item7');
    await find('');
  });

  test('somebody else was faster: nothing is saved, and what was typed stays', async () => {
    await page.getByLabel('Name of GET /item4', { exact: true }).fill('fourth');
    await owner.send('PATCH', '/deployments/orders', { name: 'Orders of others' });
    await console.press('Save 1 change');
    await page.getByText('It was changed elsewhere in the meantime.').waitFor();
    await console.press('Show the present state');
    await page.getByRole('heading', { level: 1, name: 'Orders of others' }).waitFor();
    await console.press('Save 1 change');
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
    expect(await stateOf()).toMatchObject({ overrides: { item4: { name: 'fourth' } } });
  });

  test('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
