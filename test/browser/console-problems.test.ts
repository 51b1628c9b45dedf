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
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const CANARY = 'canary-of-a-value-7c1e';
const CALLS: readonly (readonly [tool: string, args: object, times: number])[] = [
  ['listBooks', { limit: { much: CANARY } }, 3],
  ['getBook', {}, 2],
  ['getBook', { book_id: 999_999 }, 1],
  ['getBook', { book_id: 1, [CANARY]: CANARY }, 1],
];

inChromium('what went wrong with calls, in the console', () => {
  const step = inOrder();
  let service: WholeService;
  let chromium: Browser;
  let opened: OpenConsole;
  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    opened = await openConsole(service, chromium);
    const owner = await service.person();
    await opened.signIn(owner);
    const server = await service.publish(owner, { slug: 'shop', authMethod: 'none' });
    for (const [name, args, times] of CALLS) {
      for (let call = 0; call < times; call += 1) {
        await callTool(server, name, args);
      }
    }
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  step('is grouped by tool and cause, without a value that was sent', async () => {
    const { page, open } = opened;
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    // Calls are stored some seconds after they were made.
    for (let turn = 0; turn < 60; turn += 1) {
      await service.tally();
      await open('/servers/shop/activity');
      await page.waitForLoadState('networkidle');
      if ((await row('does not have').count()) > 0) break;
    }
    if (process.env['PICTURE'])
      await page.screenshot({ path: process.env['PICTURE'], fullPage: true });
    expect(await row('limit is sent as an object').innerText({ timeout: 5000 })).toMatch(
      /^listBooks\s[^]*\s3\s+1\s/,
    );
    expect(await row('book_id is missing').innerText({ timeout: 5000 })).toMatch(
      /^getBook\s[^]*\s2\s+1\s/,
    );
    expect(await row('the API answered 404').count()).toBe(1);
    expect(await page.content()).not.toContain(CANARY);
    expect(await consoleFaults(page)).toEqual({});
    expect(await widthFaults(page)).toEqual({});
  });

  step('each leads to where it is mended', async () => {
    const { page } = opened;
    const row = page.getByRole('row').filter({ hasText: 'limit is sent as an object' });
    await row.getByRole('link', { name: 'Give the argument a fixed value' }).click();
    await page.getByRole('heading', { name: 'listBooks' }).waitFor();
    await page.getByText('A fixed value is sent with each call').waitFor();
  });

  step('no value is in anything that was stored or logged', async () => {
    expect((await service.kept()).filter(([, text]) => text.includes(CANARY))).toEqual([]);
  });
});
