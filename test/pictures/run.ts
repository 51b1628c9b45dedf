/**
 * Takes the pictures of the console that README and docs show, of the sample on a service of its own:
 *
 *   npm run pictures
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { launchChromium } from '../support/pages/browser.ts';
import { startWholeService } from '../support/service/whole-service.ts';

const PICTURES = join(import.meta.dirname, '../../docs/pictures');
const CALLS: readonly (readonly [tool: string, args: object, times: number])[] = [
  ['listBooks', { genre: 'mystery', limit: 2 }, 42],
  ['getBook', { book_id: 1 }, 17],
  ['getBook', { book_id: 999_999 }, 5],
  ['placeOrder', { book_id: 1, copies: 1 }, 8],
];

const service = await startWholeService();
const chromium = await launchChromium();
try {
  const owner = await service.person('ada@example.com');
  const slug = 'bookshop';
  await service.publish(owner, { slug, name: 'Bookshop', authMethod: 'none' });
  const messagesUrl = `${service.baseUrl}/mcp-router/${slug}/messages`;
  for (const [name, args, times] of CALLS) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    for (let call = 0; call < times; call += 1) {
      await service.fetch(messagesUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    }
  }

  const page = await chromium.newPage({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  });
  const take = async (name: string): Promise<void> => {
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    process.stdout.write(`docs/pictures/${name}.png\n`);
  };
  const open = (path: string) => page.goto(`${service.baseUrl}/console${path}`);

  await open('/servers');
  await page.locator('input[type=email]').fill(owner.email);
  await page.locator('input[type=password]').fill(owner.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Servers' }).waitFor();

  await open(`/servers/${slug}/tools?tool=listBooks`);
  await page.getByText('Only books of this genre.', { exact: true }).waitFor();
  await take('tools');

  // Calls are stored some seconds after they were made, and counted by the minute.
  const isThere = page.getByRole('button', { name: 'placeOrder' });
  do await open(`/servers/${slug}/activity`);
  while (
    !(await isThere
      .first()
      .waitFor({ timeout: 3000 })
      .then(
        () => true,
        () => false,
      ))
  );
  await page.locator('.plot canvas').nth(2).waitFor();
  await take('activity');

  await open('/new');
  await page.locator('input[type=file]').setInputFiles({
    name: 'bookshop.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(
      readFileSync(SAMPLE_DESCRIPTION, 'utf8').replace(
        /http:\/\/127\.0\.0\.1:\d+/,
        service.sampleApiUrl,
      ),
    ),
  });
  await page.getByText('listBooks').first().waitFor();
  await take('new-server');
} finally {
  await chromium.close();
  await service.stop();
}
