import { readFileSync } from 'node:fs';
import { test } from '@jest/globals';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, openConsole, widthFaults } from '../support/pages/console.ts';
import { startWholeService } from '../support/service/whole-service.ts';
test('x', async () => {
  const [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
  const { page, open, signIn } = await openConsole(service, chromium);
  const owner = await service.person();
  await signIn(owner);
  await service.publish(owner, { slug: 'shop', authMethod: 'none' });
  await open('/servers/shop/versions');
  const text = readFileSync(SAMPLE_DESCRIPTION, 'utf8')
      .replace('operationId: getBookCover', 'operationId: showCover')
      .replace('operationId: getBook\n', 'operationId: readBook\n')
      .replace('name: limit', 'name: most').replaceAll(/summary: (.)/g, 'summary: Now $1');
  await page.setInputFiles('#version-file', { name: 'a.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });
  await page.getByText(/tools? renamed/).first().waitFor({ timeout: 15000 }).catch(() => undefined);
  await page.waitForTimeout(1500);
  for (const colorScheme of ['light', 'dark'] as const) for (const width of [1280, 375]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await page.waitForTimeout(300);
    await page.screenshot({ path: `/tmp/a/pics/versions-${colorScheme}-${width}.png`, fullPage: true });
    console.log(width, await consoleFaults(page), await widthFaults(page));
  }
  await chromium.close(); await service.stop();
}, 120000);
