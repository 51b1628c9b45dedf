/**
 * What the console costs whoever opens it: bytes of the first view, time until it can be used with nothing in the
 * browser's cache, and the longest pause while long lists are scrolled and filtered (Chromium's own "long tasks":
 * pauses of less than 50 ms are none). Calls are made up on the way, so that ten thousand need not be made.
 *
 * Goals: at most 20 KB, packed; within 300 ms; no pause of 50 ms.
 */
import { brotliDecompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { buildConsole } from '../console/build.ts';
import { launchChromium } from '../test/support/pages/browser.ts';
import { startWholeService } from '../test/support/service/whole-service.ts';
import { median, ms, printTable, type Row } from './table.ts';

const VIEWS = 10;
const TOOLS = 1000;
const CALLS = 10_000;
const PAGE = 100;

export const bench = async (): Promise<void> => {
  const sizes = await sizesOfFirstView();
  printTable('First view of the console, packed by brotli', ['KB'], sizes, [
    'goal: at most 20 KB in all',
  ]);

  const service = await startWholeService({ endpoints_per_deployment: TOOLS });
  const chromium = await launchChromium();
  try {
    const took: number[] = [];
    for (let view = 0; view < VIEWS; view += 1) {
      const context = await chromium.newContext();
      const page = await context.newPage();
      const began = performance.now();
      await page.goto(`${service.baseUrl}/console/servers`);
      await page.getByLabel('Password').waitFor();
      took.push(performance.now() - began);
      await context.close();
    }

    const owner = await service.person();
    await service.publish(owner, { slug: 'large', authMethod: 'none', openapi: aLargeOne() });
    const page = await chromium.newPage({ viewport: { width: 1280, height: 900 } });
    await page.addInitScript(`
      window.pauses = [];
      new PerformanceObserver((list) => pauses.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: 'longtask', buffered: true });`);
    await page.route('**/deployments/large/calls?*', (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      return route.fulfill({ json: aPageOfCalls(from) });
    });
    await page.goto(`${service.baseUrl}/console/servers`);
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Servers' }).waitFor();

    await page.goto(`${service.baseUrl}/console/servers/large/tools`);
    await page.getByText(`${TOOLS.toLocaleString('en')} tools, about`).waitFor();
    const ofTools = await longestPause(page, async () => {
      await scroll(page);
      await page.getByLabel('Find a tool').pressSequentially('operation 77', { delay: 60 });
      await page.getByLabel('Find a tool').fill('');
    });

    await page.goto(`${service.baseUrl}/console/servers/large/activity`);
    for (let more = PAGE; more < CALLS; more += 10 * PAGE) {
      await page.getByRole('button', { name: 'Older calls' }).click();
      await page
        .getByText(`${Math.min(more + 10 * PAGE, CALLS).toLocaleString('en')} calls`)
        .waitFor();
    }
    const ofCalls = await longestPause(page, () => scroll(page));

    printTable(
      `The console in Chromium, ${VIEWS} cold views`,
      ['median', 'longest'],
      [
        ['until it can be used', ms(median(took)), ms(Math.max(...took))],
        [`pause over ${TOOLS} tools, scrolled and filtered`, '', ms(ofTools)],
        [`pause over ${CALLS} calls, scrolled`, '', ms(ofCalls)],
      ],
      ['goal: within 300 ms; no pause of 50 ms'],
    );
  } finally {
    await chromium.close();
    await service.stop();
  }
};

const sizesOfFirstView = async (): Promise<Row[]> => {
  const { page, assets } = await buildConsole();
  const html = brotliDecompressSync(Buffer.from(page.br, 'base64')).toString();
  const named = Object.entries(assets).filter(([name]) => html.includes(name));
  const kilobytes = (files: readonly { readonly br: string }[]) =>
    (files.reduce((sum, { br }) => sum + Buffer.byteLength(br, 'base64'), 0) / 1024).toFixed(1);
  const scripts = named.filter(([name]) => name.endsWith('.js')).map(([, file]) => file);
  return [
    ['in all', kilobytes([page, ...named.map(([, file]) => file)])],
    ['script', kilobytes(scripts)],
  ];
};

const longestPause = async (page: Page, act: () => Promise<void>): Promise<number> => {
  await page.evaluate('pauses.length = 0');
  await act();
  return page.evaluate<number>('Math.max(0, ...pauses)');
};

const scroll = async (page: Page): Promise<void> => {
  const list = page.locator('.virtual');
  await list.hover();
  for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 1500);
};

const aLargeOne = (): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'A large one', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: Object.fromEntries(
      Array.from({ length: TOOLS }, (_, index) => [
        `/operations/${index}`,
        {
          get: {
            operationId: `operation${index}`,
            summary: `The operation ${index}`,
            parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
            responses: { 200: { description: 'Done.' } },
          },
        },
      ]),
    ),
  });

const aPageOfCalls = (from: number) => ({
  items: Array.from({ length: PAGE }, (_, index) => ({
    at: new Date(Date.now() - (from + index) * 1000).toISOString(),
    tool: `operation${(from + index) % TOOLS}`,
    version: 1,
    outcome: (from + index) % 7 === 0 ? 'target_error' : 'ok',
    status: (from + index) % 7 === 0 ? 500 : 200,
    duration_ms: (from + index) % 300,
    subject: '192.0.2.1',
    ip: '192.0.2.1',
    request_id: `request-${from + index}`,
    index: 0,
  })),
  ...(from + PAGE < CALLS && { next_cursor: String(from + PAGE) }),
});
