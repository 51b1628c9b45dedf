import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import {
  consoleFaults,
  openConsole,
  type OpenConsole,
  widthFaults,
} from '../support/pages/console.ts';
import { inOrder } from '../support/story.ts';
import {
  callTool,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

inChromium('calls with what was sent and answered, in the console', () => {
  const step = inOrder();
  let service: WholeService;
  let chromium: Browser;
  let opened: OpenConsole;
  let server: PublishedServer;
  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    opened = await openConsole(service, chromium);
    const owner = await service.person();
    await opened.signIn(owner);
    server = await service.publish(owner, { slug: 'shop', authMethod: 'none' });
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  step('are recorded once their owner has read what that means', async () => {
    const { page, open } = opened;
    await open('/servers/shop/activity');
    await page.getByRole('button', { name: 'Record calls…' }).click();
    await page.getByText('each look is on record').waitFor();
    expect(await consoleFaults(page)).toEqual({});
    await page.getByRole('button', { name: 'Record calls', exact: true }).click();
    await page.getByText('Calls are recorded').waitFor();
  });

  step('are shown when somebody looks, and not before', async () => {
    const { page } = opened;
    const callBoth = async () => {
      await callTool(server, 'getBook', { book_id: 1 });
      await callTool(server, 'listBooks', { limit: { much: 1 } });
    };
    await callBoth();
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    // Calls are stored some seconds after they were made.
    for (let turn = 0; turn < 300; turn += 1) {
      await page.getByRole('button', { name: 'Show recorded calls' }).click();
      await page.waitForTimeout(100);
      // An instance that knew the server before it was switched on knows of that 15 seconds later.
      if (turn % 100 === 99) await callBoth();
      if ((await row('"book_id":1').count()) > 0 && (await row('"much":1').count()) > 0) break;
    }
    expect(await row('"book_id":1').first().innerText()).toContain('Success');
    expect(await row('"much":1').first().innerText()).toContain('Rejected');
    expect(await consoleFaults(page)).toEqual({});
    expect(await widthFaults(page)).toEqual({});
  });

  step('are found by what stands in them', async () => {
    const { page } = opened;
    await page.getByRole('searchbox', { name: 'Text in recorded calls' }).fill('MUCH');
    await page.getByRole('button', { name: 'Show recorded calls' }).click();
    const region = page.getByRole('region', { name: 'Recorded calls' });
    const books = region.getByRole('row').filter({ hasText: 'book_id' });
    await books.first().waitFor({ state: 'detached' });
    expect(await region.getByRole('row').filter({ hasText: '"much":1' }).count()).not.toBe(0);
    await page.getByRole('searchbox', { name: 'Text in recorded calls' }).fill('');
    await page.getByRole('button', { name: 'Show recorded calls' }).click();
    await region.getByRole('row').filter({ hasText: '"book_id":1' }).first().waitFor();
  });

  step('are saved as JSON lines', async () => {
    const { page } = opened;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as JSON lines' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
    const tools = lines.map((line) => (JSON.parse(line) as { readonly tool: string }).tool);
    expect([...new Set(tools)].toSorted()).toEqual(['getBook', 'listBooks']);
  });

  step('open one by one, and are tried again with the same arguments', async () => {
    const { page } = opened;
    await page
      .getByRole('row')
      .filter({ hasText: '"book_id":1' })
      .first()
      .getByRole('button', { name: 'getBook' })
      .click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('answer', { exact: true }).innerText()).toContain('"title"');
    if (process.env['PICTURE']) await page.screenshot({ path: process.env['PICTURE'] });
    await dialog.getByLabel('Should this be chosen?').fill('Which book is the first?');
    await dialog.getByRole('button', { name: 'Keep as a case' }).click();
    await dialog.getByText('It is kept among the').waitFor();
    expect(await widthFaults(page)).toEqual({});
    await dialog.getByRole('button', { name: 'Test it again' }).click();
    expect(await page.getByLabel('Arguments').inputValue()).toContain('"book_id": 1');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('Success').waitFor();
  });

  step('become cases with the tool and the arguments', async () => {
    const { page, open } = opened;
    await open('/servers/shop/cases');
    const kept = page.getByRole('listitem').filter({ hasText: 'Which book is the first?' });
    expect(await kept.innerText()).toMatch(/getBook[^]*"book_id": ?1/);
  });

  step('are gone, and recorded no more, once they are removed', async () => {
    const { page, open } = opened;
    await open('/servers/shop/activity');
    await page.getByRole('button', { name: 'Show recorded calls' }).click();
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click();
    await page.getByText('No call of that kind is recorded.').waitFor();
    await page.getByRole('button', { name: 'Record calls…' }).waitFor();
  });
});
