import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  hasChromium,
  launchChromium,
  startWebsite,
  type Website,
} from '../support/pages/browser.ts';
import { axeViolations } from '../support/pages/console.ts';
import { REDIRECT_URI } from '../support/oauth/oauth.ts';
import { lowContrasts, structureFaults } from '../support/pages/page-checks.ts';
import { aPerson, mailTo, PASSWORD } from '../support/oauth/people.ts';

const inChromium = hasChromium ? describe : describe.skip;
if (!hasChromium) test.skip('in Chromium: not installed, see .ci/run', () => undefined);

const LONG = 'x'.repeat(200);
const WIDTHS = [320, 768, 1024] as const;
const SCHEMES = ['light', 'dark'] as const;

let website: Website;
let chromium: Browser;
let email: string;
let clientId: string;

const authorizeUrl = (over: Readonly<Record<string, string | undefined>> = {}) =>
  website.authorizeUrl({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    resource: `${website.origin}/v1/mcp-router/adas-pets`,
    ...over,
  });

const submit = async (page: Page): Promise<void> => {
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.locator('main form button').first().click(),
  ]);
  await page.waitForLoadState();
};

const signIn = async (page: Page, url = authorizeUrl()): Promise<void> => {
  await page.goto(url);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await submit(page);
  await page.getByText(email).first().waitFor();
};

/** What a link in a mail points to, on the site's own port. */
const openLink = async (page: Page, path: string, field: string): Promise<void> => {
  await page.goto(`${website.issuer}${path}`);
  await page.getByLabel('E-mail address').fill(field);
  await submit(page);
  const { link } = await mailTo(website.service, field);
  await page.goto(link.replace('https://mcp.example.com', website.origin));
};

/** How to get to each page, in the state that has most on it. */
const PAGES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  login: (page) => page.goto(authorizeUrl()),
  'login, failed': async (page) => {
    await page.goto(authorizeUrl());
    await page.getByLabel('E-mail address').fill('somebody@example.com');
    await page.getByLabel('Password').fill('wrong');
    await submit(page);
  },
  consent: (page) => signIn(page, authorizeUrl({ scope: 'openid email profile' })),
  'consent, with a choice that is wrong': async (page) => {
    await signIn(page, authorizeUrl({ resource: undefined }));
    await page.getByLabel('Name or address of another server').fill(LONG);
    await page.getByLabel('Another server, named below').check();
    await Promise.all([
      page.waitForResponse((response) => response.status() === 400),
      page.getByRole('button', { name: 'Approve' }).click(),
    ]);
    await page.getByRole('alert').waitFor();
  },
  'a server that is closed': (page) =>
    signIn(page, authorizeUrl({ resource: `${website.origin}/v1/mcp-router/closed` })),
  'signed out': async (page) => {
    await signIn(page);
    await page.getByRole('button', { name: 'Not you? Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
  },
  'sign-up': (page) => page.goto(`${website.issuer}/signup?ticket=${'a'.repeat(43)}`),
  'sign-up, with faults': async (page) => {
    await page.goto(`${website.issuer}/signup`);
    await page
      .getByLabel('E-mail address')
      .fill(`${'a'.repeat(64)}.@example..com`.replace('..', '.'));
    await submit(page);
  },
  reset: (page) => page.goto(`${website.issuer}/reset`),
  'mail sent': async (page) => {
    await page.goto(`${website.issuer}/reset?ticket=${'a'.repeat(43)}`);
    await page.getByLabel('E-mail address').fill('nobody@example.com');
    await submit(page);
  },
  'new password': (page) => openLink(page, '/reset', email),
  'new account': (page) => openLink(page, '/signup', 'somebody-new@example.com'),
  'new account, with faults': async (page) => {
    await openLink(page, '/signup', 'somebody-else@example.com');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByLabel('Password again').fill('short');
    await submit(page);
  },
  'a dead link': (page) => page.goto(`${website.issuer}/verify?token=x`),
  'a request that cannot be answered': (page) =>
    page.goto(authorizeUrl({ response_type: 'token' })),
  'an unknown application': (page) => page.goto(`${website.issuer}/authorize?client_id=${LONG}`),
};

inChromium('the account pages in Chromium', () => {
  beforeAll(async () => {
    [website, chromium] = await Promise.all([startWebsite(), launchChromium()]);
    const ada = await aPerson(website.service, {
      email: `${'ada.lovelace.'.repeat(4)}a@${'analytical'.repeat(4)}.example`,
    });
    email = ada.email;
    const name = `${'W'.repeat(60)} \u202E ${'\u4e16\u754c'.repeat(20)}`;
    ({ id: clientId } = await website.service.client({ name }));
    const ownerId = ada.id;
    await website.service.deployment({ slug: 'adas-pets', name: 'P'.repeat(90), ownerId });
    await website.service.deployment({ slug: `a${'z'.repeat(62)}`, name: 'Second', ownerId });
    await website.service.deployment({ slug: 'closed', name: 'Closed' });
  });
  afterAll(async () => {
    await chromium.close();
    await website.stop();
  });

  describe.each(Object.entries(PAGES))('%s', (_, open) => {
    let page: Page;
    beforeAll(async () => {
      page = await chromium.newPage();
      await open(page);
    });
    afterAll(() => page.context().close());

    test('fits every width and is readable in light and dark', async () => {
      const found: Record<string, unknown> = {};
      for (const width of WIDTHS) {
        for (const colorScheme of SCHEMES) {
          await page.setViewportSize({ width, height: 700 });
          await page.emulateMedia({ colorScheme });
          const scrolls = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
          const contrasts = await lowContrasts(page);
          if (scrolls || contrasts.length > 0) {
            found[`${width} ${colorScheme}`] = { scrolls, contrasts };
          }
        }
      }

      expect(found).toEqual({});
    });

    test('has a structure for screen readers and keyboards', async () => {
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.emulateMedia({ colorScheme: 'light' });
      const faults = [...(await axeViolations(page)), ...(await structureFaults(page))];

      expect(faults).toEqual([]);
    });
  });

  test('load nothing besides themselves', async () => {
    const page = await chromium.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(authorizeUrl());
    await page.context().close();

    expect(requests.filter((path) => path !== '/favicon.ico')).toEqual([
      '/v1/mcp-oauth-server/authorize',
    ]);
  });

  test('state the purpose of each input for password managers', async () => {
    const page = await chromium.newPage();
    const kinds = async (path: string) => {
      await page.goto(path);
      return page.evaluate(
        `[...document.querySelectorAll('input:not([type=hidden])')].map((one) => one.autocomplete)`,
      );
    };

    expect(await kinds(authorizeUrl())).toEqual(['username', 'current-password']);
    expect(await kinds(`${website.issuer}/signup`)).toEqual(['username']);
    await openLink(page, '/signup', 'a-newcomer@example.com');
    expect(await kinds(page.url())).toEqual(['username', 'name', 'new-password', 'new-password']);
    await openLink(page, '/reset', email);
    expect(await kinds(page.url())).toEqual(['username', 'new-password', 'new-password']);
    await page.context().close();
  });

  test('can be enlarged to twice their size at a width of 320 pixels', async () => {
    const page = await chromium.newPage({ viewport: { width: 320, height: 700 } });
    await signIn(page);
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    const scrolls = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    await page.context().close();

    expect(scrolls).toBe(false);
  });
});
