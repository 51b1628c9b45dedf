import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  type CallbackSite,
  hasChromium,
  launchChromium,
  startCallback,
  startSecureCallback,
  startWebsite,
  type Website,
  WEBSITE_HOST,
} from '../support/pages/browser.ts';
import { VERIFIER } from '../support/oauth/oauth.ts';
import { aPerson, PASSWORD } from '../support/oauth/people.ts';

const inChromium = hasChromium ? describe : describe.skip;
if (!hasChromium) test.skip('in Chromium: not installed, see .ci/run', () => undefined);

inChromium('a user in Chromium', () => {
  let website: Website;
  let device: CallbackSite;
  let clientSite: CallbackSite;
  let chromium: Browser;
  let context: BrowserContext;
  let page: Page;
  let clientId: string;
  /** What the browser refused to do. */
  let violations: string[];

  beforeAll(async () => {
    [website, device, clientSite] = await Promise.all([
      startWebsite({ allowedRedirectUris: ['cursor://app/callback'] }),
      startCallback(),
      startSecureCallback(),
    ]);
    chromium = await launchChromium({
      args: [`--host-resolver-rules=MAP ${WEBSITE_HOST} 127.0.0.1:${clientSite.port}`],
    });
    await website.service.deployment({
      slug: 'for-all',
      name: 'Everybody\u2019s pets',
      access: { mode: 'any_user' },
    });
    const redirectUris = [
      'http://127.0.0.1/callback',
      'http://localhost/callback',
      'https://app.example.com/callback',
      'cursor://app/callback',
      'http://127.0.0.1/onward',
    ];
    ({ id: clientId } = await website.service.client({ name: 'Claude', redirectUris }));
  });
  afterAll(async () => {
    await chromium.close();
    await Promise.all([device.stop(), clientSite.stop(), website.stop()]);
  });

  beforeEach(async () => {
    context = await chromium.newContext({ ignoreHTTPSErrors: true });
    violations = [];
    context.on('console', (message) => {
      if (/Content Security Policy|Permissions-Policy|Refused/i.test(message.text())) {
        violations.push(message.text());
      }
    });
    page = await context.newPage();
  });
  afterEach(async () => {
    await context.close();
    expect(violations).toEqual([]);
  });

  const onDevice = () => `http://127.0.0.1:${device.port}/callback`;

  const openFor = (redirectUri = onDevice(), tab = page) =>
    tab.goto(
      website.authorizeUrl({
        client_id: clientId,
        redirect_uri: redirectUri,
        resource: `${website.origin}/v1/mcp-router/for-all`,
      }),
    );

  const signIn = async (email: string, password = PASSWORD, tab = page) => {
    await tab.getByLabel('E-mail address').fill(email);
    await tab.getByLabel('Password').fill(password);
    await tab.getByRole('button', { name: 'Sign in' }).click();
  };

  const press = (name: string, tab = page) =>
    tab.getByRole('button', { name, exact: true }).click();
  const reads = (text: string | RegExp, tab = page) => tab.getByText(text).first().waitFor();
  const received = () => Object.fromEntries(device.queries.at(-1) ?? []);

  /** Signs somebody new in, up to the consent page. */
  const consenting = async (redirectUri?: string) => {
    const person = await aPerson(website.service);
    await openFor(redirectUri);
    await signIn(person.email);
    await reads(person.email);
    return person;
  };

  test.each([
    ['a port of 127.0.0.1', onDevice, () => device],
    ['a port of localhost', () => onDevice().replace('127.0.0.1', 'localhost'), () => device],
    ['a website', () => 'https://app.example.com/callback', () => clientSite],
  ])('approves, and the authorization response reaches %s', async (_, redirectUri, site) => {
    await consenting(redirectUri());
    await press('Approve');
    await page.waitForURL(/\/callback\?code=/);

    expect(Object.fromEntries(site().queries.at(-1) ?? [])).toEqual({
      code: expect.stringMatching(/^mcp_code_/),
      state: 'st&te/+ %25',
      iss: website.issuer,
    });
  });

  test('denies, and the client receives access_denied', async () => {
    await consenting();
    await press('Deny');
    await page.waitForURL(/\/callback\?error=access_denied/);

    expect(received()).toMatchObject({ error: 'access_denied', state: 'st&te/+ %25' });
  });

  test('approves an app on the device with a private-use redirect URI', async () => {
    await consenting('cursor://app/callback');
    const leaving = page.waitForEvent('requestfailed', (request) =>
      request.url().startsWith('cursor:'),
    );
    await press('Approve');

    // No such application is installed here; the browser tried to hand the answer to it.
    expect((await leaving).url()).toMatch(/^cursor:\/\/app\/callback\?code=/);
  });

  test('follows a client whose callback redirects to another origin', async () => {
    await consenting(`http://127.0.0.1:${device.port}/onward`);
    await press('Approve');
    await page.waitForURL('https://app.example.com/done');
  });

  test('types a wrong password, sees an error and tries again', async () => {
    const { email } = await aPerson(website.service);
    await openFor();
    await signIn(email, 'not the password');
    await page.getByRole('alert').waitFor();

    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await signIn(email);
    await press('Approve');
    await page.waitForURL(/\/callback\?code=/);
  });

  test('is locked out after five wrong passwords and can sign in 15 minutes later', async () => {
    const { email } = await aPerson(website.service);
    const noon = website.service.clock.time;
    await openFor();
    for (const password of [...Array.from({ length: 5 }, () => 'wrong'), PASSWORD]) {
      await Promise.all([page.waitForResponse(/\/login$/), signIn(email, password)]);
      await page.getByRole('alert').waitFor();
    }

    website.service.clock.time = noon + 900;
    await openFor();
    await signIn(email);
    await reads('This application is not verified.');
    website.service.clock.time = noon;
  });

  test('decides in two tabs independently', async () => {
    await consenting();
    const other = await context.newPage();
    await openFor(onDevice(), other);
    await press('Deny', other);
    await other.waitForURL(/error=access_denied/);
    await press('Approve');
    await page.waitForURL(/\/callback\?code=/);
  });

  test('sees the new account after signing in to another one in a second tab', async () => {
    const [ada, grace] = [await aPerson(website.service), await aPerson(website.service)];
    const other = await context.newPage();
    await openFor();
    await openFor(onDevice(), other);
    await signIn(ada.email);
    await reads(ada.email);
    await signIn(grace.email, PASSWORD, other);
    await reads(grace.email, other);

    await press('Approve');
    await reads('You signed in again since this page was opened');
    expect(await page.getByText(ada.email).count()).toBe(0);
    await reads(grace.email);
    await press('Approve');
    await page.waitForURL(/\/callback\?code=/);
  });

  const codes = () => device.queries.flatMap((query) => query.get('code') ?? []);
  const tokensFor = async (sent: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ client_id: clientId, ...sent });
    const answer = await fetch(`${website.issuer}/token`, { method: 'POST', body });
    return { isGiven: answer.ok, ...((await answer.json()) as { refresh_token?: string }) };
  };
  /** Redeems the code that the client has received last. */
  const connects = () =>
    tokensFor({
      grant_type: 'authorization_code',
      code: codes().at(-1) ?? '',
      redirect_uri: onDevice(),
      code_verifier: VERIFIER,
    });

  test.each([20, 90, 180, 400])(
    'approves with two clicks %d ms apart, and the application is connected',
    async (apart) => {
      // Long enough for the second to come while the first is answered.
      const slow = { kind: 'delay', ms: 250 } as const;
      await consenting();
      website.service.store.aws.faults.inject({
        ...slow,
        on: { operation: 'TransactWriteItems' },
      });
      const approve = page.getByRole('button', { name: 'Approve', exact: true });
      await approve.click({ noWaitAfter: true });
      await page.waitForTimeout(apart);
      await approve.click({ noWaitAfter: true, timeout: 1000 }).catch(() => undefined);
      await page.waitForURL(/\/callback\?code=/);
      website.service.store.aws.faults.clear();

      expect(await connects()).toMatchObject({ isGiven: true });
    },
  );

  test('approves with a double click, and the application is connected', async () => {
    const before = codes().length;
    await consenting();
    await page.getByRole('button', { name: 'Approve' }).dblclick();
    // The second click may break off the navigation that the first one began.
    const arrived = () => page.waitForURL(/\/callback\?code=/);
    await arrived().catch(arrived);

    expect(new Set(codes().slice(before)).size).toBe(1);
    expect(await connects()).toMatchObject({ isGiven: true });
  });

  test('goes back after approving, approves again, and gets the same answer', async () => {
    await consenting();
    await press('Approve');
    await page.waitForURL(/\/callback\?code=/);
    const first = codes().at(-1);
    await page.goBack();
    await press('Approve');
    await page.waitForURL(/\/callback\?code=/);

    expect(codes().at(-1)).toBe(first);
    expect(await connects()).toMatchObject({ isGiven: true });
  });

  test('loads an answer again that was lost on its way, and the application is connected', async () => {
    await consenting();
    await page.route(
      /\/authorize$/,
      async (route) => {
        await route.fetch({ maxRedirects: 0 });
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await press('Approve');
    await page.waitForURL(/chrome-error:/);
    await page.reload();
    await page.waitForURL(/\/callback\?code=/);

    expect(await connects()).toMatchObject({ isGiven: true });
  });

  test('goes back once the application is connected, and reads what to do', async () => {
    await consenting();
    await press('Approve');
    await page.waitForURL(/\/callback\?code=/);
    const { isGiven, refresh_token = '' } = await connects();
    expect(isGiven).toBe(true);
    await page.goBack();
    // The page may come from memory; it can be answered no more.
    if ((await page.getByRole('button', { name: 'Approve' }).count()) > 0) await press('Approve');

    await reads('This page is no longer valid');
    await reads('Go back to the application: it may be connected already.');
    const kept = await tokensFor({ grant_type: 'refresh_token', refresh_token });
    expect(kept.isGiven).toBe(true);
  });

  test('goes back from consent and forth again without losing the request', async () => {
    await consenting();
    await page.goBack();
    await reads('This application is not verified.');
    await press('Approve');
    await page.waitForURL(/\/callback\?code=/);
  });

  test('comes back after ten minutes and reads that the page is no longer valid', async () => {
    const noon = website.service.clock.time;
    const { email } = await aPerson(website.service);
    await openFor();
    website.service.clock.time = noon + 600;
    await signIn(email);
    await reads('This page is no longer valid');

    website.service.clock.time = noon;
    await openFor();
    await signIn(email);
    await reads('This application is not verified.');
    website.service.clock.time = noon + 600;
    await press('Approve');
    await reads('This page is no longer valid');
    website.service.clock.time = noon;
  });

  test('signs out on the consent page and signs in with another account', async () => {
    await consenting();
    await press('Not you? Sign out');
    await reads('You are signed out');
    const left = (await context.cookies()).map(({ name }) => name);
    expect(left).toEqual([expect.stringMatching(/^mcp-device-/)]);

    await page.getByRole('link', { name: 'Sign in with another account' }).click();
    const grace = await aPerson(website.service);
    await signIn(grace.email);
    await reads(grace.email);
    await press('Approve');
    await page.waitForURL(/\/callback\?code=/);
  });

  test('can do everything without a mouse', async () => {
    const { email } = await aPerson(website.service);
    await openFor();
    await page.locator('#email:focus').waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await reads('This application is not verified.');
    const focused = () => page.evaluate('document.activeElement.textContent') as Promise<string>;
    for (let steps = 0; steps < 10 && (await focused()) !== 'Approve'; steps += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/callback\?code=/);
  });

  test('can do everything without JavaScript', async () => {
    const { email } = await aPerson(website.service);
    const plain = await chromium.newContext({ javaScriptEnabled: false });
    const tab = await plain.newPage();
    await openFor(onDevice(), tab);
    await signIn(email, PASSWORD, tab);
    await press('Approve', tab);
    await tab.waitForURL(/\/callback\?code=/);
    await plain.close();
  });

  test('cannot be tricked by a form on another site', async () => {
    const { email } = await aPerson(website.service);
    await openFor();
    await signIn(email);
    await reads('This application is not verified.');
    const fields = await page.evaluate(
      `Object.fromEntries(new FormData(document.querySelector('form[action$="/authorize"]')))`,
    );
    const inputs = Object.entries(fields as Record<string, string>)
      .map(([name, value]) => `<input name="${name}" value="${value}">`)
      .join('');
    const evil = await context.newPage();
    await evil.route('http://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${website.issuer}/authorize">${inputs}<button name="decision" value="approve">Win</button></form>`,
      }),
    );
    await evil.goto('http://evil.example/');
    await evil.getByRole('button', { name: 'Win' }).click();

    await reads('This form came from another place', evil);
    await press('Approve');
    await page.waitForURL(/\/callback\?code=/);
  });
});
