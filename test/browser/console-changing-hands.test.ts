import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { type OpenConsole, openConsole } from '../support/pages/console.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;
if (!hasChromium) test.skip('in Chromium: not installed, see .ci/run', () => undefined);

inChromium('what somebody has typed and not yet sent', () => {
  let service: WholeService;
  let chromium: Browser;
  let console: OpenConsole;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService({}), launchChromium()]);
    console = await openConsole(service, chromium);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  const address = () => console.page.getByLabel('Address of the description');
  const typeAt = async (url: string) => {
    await console.open('/new');
    await console.press('URL');
    await address().fill(url);
  };
  const kept = () => console.page.evaluate('JSON.stringify(sessionStorage)');
  const signInAnew = async () => {
    await console.context.clearCookies();
    await console.signIn(await service.person());
  };
  /** The session ends while nobody looks; whoever comes next begins at the door. */
  const endSession = async () => {
    await console.context.clearCookies();
    await console.page.reload();
    await console.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  };

  test('waits for the same person, and for nobody else, once the session has ended', async () => {
    const ada = await service.person();
    await console.signIn(ada);
    await typeAt('https://internal.example.com/secret.json');

    await endSession();
    await console.signIn(ada);
    await console.open('/new');
    expect(await address().inputValue()).toBe('https://internal.example.com/secret.json');

    await endSession();
    await console.signIn(await service.person());
    expect(await kept()).not.toContain('secret');
  });

  test('is gone after a sign-out, also for whoever goes back', async () => {
    await signInAnew();
    await typeAt('https://internal.example.com/other.json');
    await console.press('Sign out');
    await console.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await kept()).not.toContain('other');

    await console.page.goBack();
    await console.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await kept()).not.toContain('other');
  });

  test('is looked at as it was chosen last, whatever is still being looked at', async () => {
    await signInAnew();
    await console.open('/new');
    const description = readFileSync(SAMPLE_DESCRIPTION, 'utf8');
    const file = (title: string) => ({
      name: `${title}.yaml`,
      mimeType: 'application/yaml',
      buffer: Buffer.from(description.replace('Sample Bookshop', title)),
    });
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    let looks = 0;
    await console.page.route('**/mcp-management/descriptions', async (route) => {
      looks += 1;
      if (looks === 1) await answered;
      await route.continue();
    });
    await console.page.setInputFiles('#description-file', file('First'));
    await console.page.getByText('First.yaml').waitFor();
    await console.page.setInputFiles('#description-file', file('Second'));
    await console.page.getByRole('heading', { name: 'What it becomes: Second' }).waitFor();
    const late = console.page.waitForResponse((one) => one.url().endsWith('/descriptions'));
    answer();
    await (await late).finished();

    await console.page.getByText('Second.yaml', { exact: true }).waitFor();
    expect(await console.page.getByRole('heading', { name: 'becomes: First' }).count()).toBe(0);
  });
});
