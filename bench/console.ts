import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/support/pages/browser.ts';
import { openConsole } from '../test/support/pages/console.ts';
import { aBigDescription } from '../test/support/openapi/big-description.ts';
import { startWholeService } from '../test/support/service/whole-service.ts';
import { median, printTable } from './table.ts';

const OPERATIONS = 350;
const CLICKS = 5;
const COLD_VISITS = 5;
/** Comes without a request: what is left is the browser's own. */
const EMPTY_PAGE = 'data:text/html,<label>E-mail address <input></label>';

/**
 * In Chromium, how soon the console's first view can be used by a browser that has none of its files, and how soon the
 * preview follows a choice among 350 operations: what is shown at once, and what the service has confirmed, which the
 * button waits for.
 */
export const bench = async (): Promise<void> => {
  const [service, chromium] = await Promise.all([
    startWholeService({ endpoints_per_deployment: 200 }),
    launchChromium(),
  ]);
  try {
    const cold: number[] = [];
    const empty: number[] = [];
    for (let visit = 0; visit < COLD_VISITS; visit += 1) {
      cold.push(await firstView(chromium, `${service.baseUrl}/console`));
      empty.push(await firstView(chromium, EMPTY_PAGE));
    }
    const { page, open, signIn } = await openConsole(service, chromium);
    await signIn(await service.person());
    await open('/new');
    const startedMs = performance.now();
    await page.setInputFiles('#description-file', {
      name: 'suite.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(aBigDescription(OPERATIONS))),
    });
    await page.getByRole('heading', { name: /^2. What it becomes/ }).waitFor();
    const first = performance.now() - startedMs;
    const times: { shown: number; confirmed: number }[] = [];
    for (let click = 0; click < CLICKS; click += 1) {
      times.push(await timed(page, click % 2 === 0 ? 'None' : 'All'));
    }
    const rows: readonly (readonly [string, readonly number[]])[] = [
      ['the first view, cold', cold],
      ['of it, what a page of one field takes', empty],
      ['the first look', [first]],
      ['a choice is shown', times.map(({ shown }) => shown)],
      ['and confirmed', times.map(({ confirmed }) => confirmed)],
    ];
    printTable(
      `The console, and its preview of ${OPERATIONS} operations`,
      ['ms'],
      rows.map(([title, values]) => [title, Math.round(median(values))]),
    );
  } finally {
    await chromium.close();
    await service.stop();
  }
};

/** Until somebody can type, in milliseconds; of a browser with an empty cache. */
const firstView = async (chromium: Browser, address: string): Promise<number> => {
  const context = await chromium.newContext();
  const page = await context.newPage();
  const startedMs = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.getByLabel('E-mail address').waitFor();
  const took = performance.now() - startedMs;
  await context.close();
  return took;
};

/** Of one click, measured in the page itself. */
const timed = async (page: Page, button: string): Promise<{ shown: number; confirmed: number }> =>
  page.evaluate(`(async () => {
    const row = () => document.querySelector('section.panel p.row').innerText;
    const isBehind = () => document.body.innerText.includes('Updating the preview');
    const until = async (is) => {
      for (let frame = 0; frame < 3600 && !is(); frame += 1) await new Promise(requestAnimationFrame);
    };
    const before = row();
    const startedMs = performance.now();
    [...document.querySelectorAll('button')].find((one) => one.innerText === ${JSON.stringify(button)}).click();
    await until(() => row() !== before);
    const shown = performance.now() - startedMs;
    await until(isBehind);
    await until(() => !isBehind());
    return { shown, confirmed: performance.now() - startedMs };
  })()`);
