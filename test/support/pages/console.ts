import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { SignIn } from '../oauth/form-browser.ts';
import type { WholeService } from '../service/whole-service.ts';

/** The console in a browser of its own, and what that has to say of it. */
export interface OpenConsole {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser has complained of: policies, faults of scripts. */
  readonly complaints: readonly string[];
  open(path: string): Promise<unknown>;
  signIn(person: SignIn): Promise<void>;
  press(name: string | RegExp): Promise<void>;
}

export const openConsole = async (
  service: Pick<WholeService, 'baseUrl'>,
  chromium: Browser,
): Promise<OpenConsole> => {
  const context = await chromium.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // What the API refuses is told by the page itself; the browser's own line says nothing more.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  const open = (path: string) => page.goto(`${service.baseUrl}/console${path}`);
  return {
    context,
    page,
    complaints,
    open,
    signIn: async ({ email, password }) => {
      await open('/servers');
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Servers' }).waitFor();
    },
    press: (name) => page.getByRole('button', { name }).click(),
  };
};

const WIDTHS = [320, 768, 1280] as const;

/** Each width at which a page scrolls sideways. */
export const widthFaults = async (page: Page): Promise<Readonly<Record<string, string>>> => {
  const found: Record<string, string> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) {
      found[`${width}`] = 'scrolls sideways';
    }
  }
  return found;
};

/** Words of a page's own sentences that are broken in two at 320 px. */
export const brokenWords = async (page: Page): Promise<readonly string[]> => {
  await page.setViewportSize({ width: 320, height: 800 });
  const found = await page.evaluate<readonly string[]>(`(() => {
    const own = 'code, pre, textarea, option, script, style, .mono, .path, .tool-name, .visually-hidden';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const found = [];
    while (texts.nextNode()) {
      const node = texts.currentNode;
      if (node.parentElement.closest(own)) continue;
      for (const { index, 0: word } of node.data.matchAll(/\\p{L}{2,14}/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(word + ' in: ' + node.data.trim().slice(0, 80));
      }
    }
    return found;
  })()`);
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
};

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Words of the API, of the command line or of HTTP that stand in a page's own sentences: names of members,
 * JSON pointers, options, statuses. What is code, names a tool or a path, or was typed is not meant.
 */
const rawWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const raw = /[a-z]_[a-z]|(?:^|\\s)--[a-z]|\\bHTTP [1-5]\\d\\d\\b|\\b[Dd]eployments?\\b|hosted-mcp|JSON pointer|(?:^|[\\s(])\\/[a-z]+\\/[\\w~]|\\bslugs?\\b(?!\\))/;
    const own = 'code, pre, textarea, option, script, style, .mono, .path, .tool-name, [hidden], noscript, .of-api';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (raw.test(data) && !parentElement.closest(own)) found.push(data.trim().slice(0, 200));
    }
    return found;
  })()`);

/** What axe finds: all of it, or what some of its rules say. */
export const axeViolations = async (
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> => {
  // It takes longer to load than to run: once for each document.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE);
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly: rules });
  return page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
  );
};

/** Everything that a reviewer of a page would write down; nothing if all is well. */
export const consoleFaults = async (page: Page): Promise<Readonly<Record<string, unknown>>> => {
  const found: Record<string, unknown> = await widthFaults(page);
  const raw = await rawWords(page);
  if (raw.length > 0) found['raw words'] = raw;
  // Only colours differ between the two.
  for (const [colorScheme, rules] of [
    ['light', undefined],
    ['dark', ['color-contrast']],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = await axeViolations(page, rules);
    if (violations.length > 0) found[colorScheme] = violations;
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
};

/** Whether the policy of a page lets it send to an address, which is there. */
export const reaches = (page: Page, url: string): Promise<boolean> =>
  page.evaluate(
    (at) =>
      fetch(at, { method: 'POST' }).then(
        () => true,
        () => false,
      ),
    url,
  );
