import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { mailsAt } from '../support/oauth/people.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const SECRET = 'ooYoh7Iephie9';
const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'Done.' } } } } },
};

inChromium('the account in the console', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([
      startWholeService({ account_requests_per_hour_per_ip: 2, active_deployments_per_user: 30 }),
      launchChromium(),
    ]);
    owner = await signedIn(service);
    const wanted = { slug: 'orders', name: 'Orders', openapi: OPENAPI };
    expect((await owner.send('POST', '/deployments', wanted)).status).toBe(201);
    await owner.send('PUT', '/deployments/orders/credential', { type: 'bearer', token: SECRET });
    console = await openConsole(service, chromium);
    page = console.page;
    page.setDefaultTimeout(20_000);
    await console.signIn(owner.person);
    await console.open('/account');
    await page.getByRole('heading', { name: 'Remove the account' }).waitFor();
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  test('the page opens at its former address, too', async () => {
    await console.open('/mine');
    await page.waitForURL(/\/console\/account$/);
    await page.getByRole('heading', { name: 'Remove the account' }).waitFor();
  });

  test('API tokens that open servers now are named with their server, and ended ones are not', async () => {
    const wanted = { slug: 'machines', openapi: OPENAPI, mcp_auth_method: 'jwt' };
    expect((await owner.send('POST', '/deployments', wanted)).status).toBe(201);
    const mint = async (name: string) =>
      (await owner.send('POST', '/deployments/machines/tokens', { name })).body;
    await mint('nightly report');
    const { jti } = await mint('lost laptop');
    expect((await owner.send('DELETE', `/deployments/machines/tokens/${String(jti)}`)).status).toBe(
      204,
    );
    await page.reload();
    await page.getByText('nightly report').waitFor();
    expect(await page.getByText('lost laptop').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'machines' }).getAttribute('href')).toMatch(
      /\/servers\/machines\/access$/,
    );
    expect(await consoleFaults(page)).toEqual({});
    expect((await owner.send('DELETE', '/deployments/machines')).status).toBe(204);
    await page.reload();
    await page.getByRole('heading', { name: 'Remove the account' }).waitFor();
  });

  test('a token of a server whose callers sign in is listed too, and leads to where it is revoked', async () => {
    const minted = await owner.send('POST', '/deployments/orders/tokens', {
      name: 'from a script',
    });
    expect(minted.status).toBe(201);
    await page.reload();
    await page.getByText('from a script').waitFor();
    await page.getByRole('link', { name: 'orders', exact: true }).click();
    await page.getByRole('heading', { name: 'A token for curl and scripts' }).waitFor();
    await page.getByText('from a script').waitFor();
    const { jti } = minted.body;
    await owner.send('DELETE', `/deployments/orders/tokens/${String(jti)}`);
    await console.open('/account');
    await page.getByRole('heading', { name: 'Remove the account' }).waitFor();
  });

  test('no server is left out, however many there are', async () => {
    const slugs = Array.from({ length: 21 }, (_, index) => `many-${index}`);
    for (const slug of slugs) {
      const wanted = { slug, openapi: OPENAPI, mcp_auth_method: 'jwt' };
      expect((await owner.send('POST', '/deployments', wanted)).status).toBe(201);
      await owner.send('POST', `/deployments/${slug}/tokens`, { name: `token of ${slug}` });
    }
    await page.reload();
    for (const slug of slugs) await page.getByText(`token of ${slug} for`).waitFor();
    for (const slug of slugs) await owner.send('DELETE', `/deployments/${slug}`);
    await page.reload();
    await page.getByRole('heading', { name: 'Remove the account' }).waitFor();
  });

  test('the name is changed, said to be saved, and there when the page is opened again', async () => {
    const field = page.getByLabel('Your name');
    await field.fill('Ada King');
    await console.press('Save');
    await page.getByText('Your name is saved.').waitFor();
    expect(await consoleFaults(page)).toEqual({});
    await page.reload();
    await page.getByRole('heading', { name: 'Remove the account' }).waitFor();
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada King');
    expect((await owner.send('GET', '/account')).body).toMatchObject({ name: 'Ada King' });
  });

  test('a mail with a link for another password is asked for with one press', async () => {
    expect(await consoleFaults(page)).toEqual({});
    await console.press('Change the password');
    await page.getByText('The mail is on its way.').waitFor();
    expect(await consoleFaults(page)).toEqual({});
    const mails = await mailsAt(service);
    const mail = mails.filter(({ to }) => to === owner.person.email);
    expect(mail).toHaveLength(1);
    expect(mail[0]?.token).not.toBe('');
    expect(new URL(mail[0]?.link ?? '').pathname).toBe('/v1/mcp-oauth-server/reset/confirm');
  });

  test('one mail too many is refused where it was asked for, and the page says when to try again', async () => {
    await console.press('Change the password');
    await page.getByText('The mail is on its way.').waitFor();
    await console.press('Change the password');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/It can be tried again in \d+ (s|min|h)\./);
    expect(await page.getByText('The mail is on its way.').count()).toBe(0);
    expect(await consoleFaults(page)).toEqual({});
  });

  test('all that is stored is downloaded as one file, without any secret', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      console.press('Download it'),
    ]);
    expect(download.suggestedFilename()).toBe('hosted-mcp-account.json');
    const text = readFileSync(await download.path(), 'utf8');
    const { items } = JSON.parse(text) as { readonly items: readonly { readonly path: string }[] };

    expect(items.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/account', '/deployments/orders', '/sessions']),
    );
    expect(text).toContain('operationId');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(owner.person.password);
  });

  test('nothing is removed until the address has been typed', async () => {
    await console.press('Remove the account');
    const dialog = page.getByRole('dialog');
    const remove = dialog.getByRole('button', { name: 'Remove the account' });
    expect(await remove.isDisabled()).toBe(true);
    await dialog.getByText('1 server of yours will be gone: Orders.').waitFor();
    const field = dialog.getByRole('textbox');
    await field.fill(owner.person.email.slice(0, 3));
    expect(await field.getAttribute('aria-invalid')).toBe(null);
    await field.fill('somebody@else.example');
    await dialog.getByText(`This is not ${owner.person.email}. Nothing was done.`).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await remove.isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await consoleFaults(page)).toEqual({});
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await owner.send('GET', '/account')).status).toBe(200);
  });

  test('a removal that was not done says so, and the account is there', async () => {
    await page.route('**/mcp-management/account', (route) =>
      route.request().method() === 'DELETE' ? route.abort('connectionrefused') : route.continue(),
    );
    await console.press('Remove the account');
    await page.getByRole('dialog').getByRole('textbox').fill(owner.person.email);
    await page.keyboard.press('Enter');
    await page.getByText('The service could not be reached.').first().waitFor();
    expect(await page.getByText('Your account is removed').count()).toBe(0);
    expect(await consoleFaults(page)).toEqual({});
    await page.unrouteAll();
    expect((await owner.send('GET', '/deployments/orders')).status).toBe(200);
  });

  test('a removed account is signed out, and its server is gone', async () => {
    await console.press('Remove the account');
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .fill(` ${owner.person.email.toUpperCase()}`);
    await page.keyboard.press('Enter');
    await page.getByText('Your account is removed, with all that it owned.').waitFor();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await consoleFaults(page)).toEqual({});
    expect((await owner.send('GET', '/deployments/orders')).status).toBe(401);
    await page.getByLabel('E-mail address').fill(owner.person.email);
    await page.getByLabel('Password').fill(owner.person.password);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
  });

  test('no policy was violated, and no script has failed, on the whole way', () => {
    expect(console.complaints).toEqual([]);
  });
});
