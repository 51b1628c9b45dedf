import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';
import { inOrder } from '../support/story.ts';

const inChromium = hasChromium ? describe : describe.skip;
if (!hasChromium) test.skip('in Chromium: not installed, see .ci/run', () => undefined);

/** As long as a name may be, without a place to break it. */
const HOSTILE = '<img src=x onerror=stolen=1>\u202E'.padEnd(200, 'N');
const ADA = `ada'{{x}}&\`$${'w'.repeat(50)}@example.com`;

let service: WholeService;
let chromium: Browser;
let page: Page;
let operator: Person;
let ada: Person;
let slug: string;
let complaints: readonly string[];
let open: OpenConsole['open'];

const button = (name: string | RegExp) => page.getByRole('button', { name });
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first();
const part = (name: string) =>
  page.getByRole('navigation', { name: 'For operators' }).getByRole('link', { name });
const faultsOf = () => consoleFaults(page);
const consoleOf = async (person: Person): Promise<OpenConsole> => {
  const opened = await openConsole(service, chromium);
  await opened.signIn(person);
  return opened;
};

/** Asks a public server so often that this address is blocked there, for longer than a window of a minute. */
const untilBlocked = async (url: string): Promise<void> => {
  for (let asked = 0; asked < 500; asked += 1) {
    const { headers } = await service.fetch(`${url}/docs`);
    if (Number(headers.get('retry-after')) > 60) return;
  }
  throw new Error('never blocked');
};

const step = inOrder();

inChromium('the pages of operators in Chromium', () => {
  beforeAll(async () => {
    [service, chromium] = await Promise.all([
      startWholeService({ public_requests_per_minute_per_ip: 2 }),
      launchChromium(),
    ]);
    operator = await service.person('operator@example.com');
    await service.operate({ operator: 'make-operator', email: operator.email }, 'oauth');
    ada = await service.person(ADA);
    for (let number = 0; number < 60; number += 1) {
      await service.person(`many-${String(number).padStart(2, '0')}@example.com`);
    }
    const named = { name: HOSTILE, slug: 'w'.repeat(63), authMethod: 'none' };
    const published = await service.publish(ada, named);
    ({ slug } = published);
    await untilBlocked(published.url);
    ({ page, complaints, open } = await consoleOf(operator));
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  step('are not there for others, in the navigation or by their address', async () => {
    const others = await consoleOf(ada);
    expect(await others.page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
    for (const path of ['accounts', `accounts/${ada.id}`, 'blocks']) {
      await others.open(`/operator/${path}`);
      await others.page.getByText('There is no such page').waitFor();
    }
    await others.open('/servers');
    await others.page.getByRole('link', { name: slug }).waitFor();
    expect(await consoleFaults(others.page)).toEqual({});
    expect(others.complaints).toEqual([]);
    await others.context.close();
  });

  step('list all accounts, page by page, found by how their address begins', async () => {
    await page.getByRole('link', { name: 'Operator' }).click();
    await heading('Accounts').waitFor();
    await page.getByRole('link', { name: /many-00@/ }).waitFor();
    await button('Show more').click();
    await page.getByRole('link', { name: /operator@example\.com/ }).waitFor();
    expect(await page.locator('.card').count()).toBe(62);
    expect(await faultsOf()).toEqual({});

    await page.getByLabel('E-mail addresses that begin with').fill('no"body');
    await button('Find').click();
    await page.locator('.fault').waitFor();
    expect(await faultsOf()).toEqual({});
    await page.getByLabel('E-mail addresses that begin with').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('No account begins so').waitFor();
    expect(await faultsOf()).toEqual({});
    await page.getByLabel('E-mail addresses that begin with').fill("ADA'");
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: ADA }).click();
    await heading(ADA).waitFor();
  });

  step('show an account, and put it on another plan with its servers', async () => {
    await page.getByText('Requests', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Stop ${slug}` }).waitFor();
    expect(await page.evaluate('typeof stolen')).toBe('undefined');
    expect(await page.locator('main img, main [onerror]').count()).toBe(0);
    expect(await faultsOf()).toEqual({});
    await page.getByLabel('Plan of the account and its servers').selectOption('pro');
    await button('Save').click();
    await page.locator('.facts').getByText('pro', { exact: true }).waitFor();
  });

  step('stop a server and release it', async () => {
    await button(`Stop ${slug}`).click();
    await page.getByRole('dialog', { name: `Stop ${slug}?` }).waitFor();
    expect(await faultsOf()).toEqual({});
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('stopped', { exact: true }).waitFor();
    expect(await faultsOf()).toEqual({});
    await button(`Release ${slug}`).click();
    await page.getByText('paused', { exact: true }).waitFor();
  });

  step(
    'end what an account has begun, once its address has been typed, with the keyboard alone',
    async () => {
      await button('Revoke all').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type(ADA);
      expect(await faultsOf()).toEqual({});
      await page.keyboard.press('Enter');
      await page.getByText('It is signed out everywhere.').waitFor();

      expect(await faultsOf()).toEqual({});
      await page.getByText('The same on the command line').last().click();
      await page.getByText(/admin end-account 'ada'\\''/).waitFor();
    },
  );

  step('leave the account of an operator to the command line', async () => {
    await open(`/operator/accounts/${operator.id}`);
    await page.getByText('ends on the command line alone').waitFor();

    expect(await button('Revoke all').count()).toBe(0);
    await page.getByText('It has published none.').waitFor();
    expect(await faultsOf()).toEqual({});
  });

  step('say where an account is not', async () => {
    await open('/operator/accounts/nobody');
    await page.getByText('There is no account of this id.').waitFor();

    expect(await faultsOf()).toEqual({});
  });

  step('find the blocks of an address and lift them', async () => {
    await part('Blocks').click();
    await page.getByLabel('IP address').fill('example.com');
    await button('Look it up').click();
    await page.locator('.fault').waitFor();
    expect(await faultsOf()).toEqual({});
    await page.getByLabel('IP address').fill('192.0.2.7');
    await page.keyboard.press('Enter');
    await page.getByText('is not blocked').waitFor();
    expect(await faultsOf()).toEqual({});
    await page.getByLabel('IP address').fill('::ffff:127.0.0.1');
    await page.keyboard.press('Enter');
    await heading('127.0.0.1 is blocked').waitFor();
    await page.getByText(`at ${slug}`).waitFor();
    expect(await faultsOf()).toEqual({});
    await button('Let it in everywhere').click();
    await page.getByText('is not blocked').waitFor();
  });

  step('go on where they were once a session that has ended is renewed', async () => {
    const other = await page.context().newPage();
    await other.goto(`${service.baseUrl}/console/servers`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.close();
    await button('Look it up').click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.getByRole('dialog').getByLabel('Password').fill(operator.password);
    await page.keyboard.press('Enter');
    await page.getByText('is not blocked').waitFor();

    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  step('are gone at once for who is no operator any more', async () => {
    await service.operate({ operator: 'end-operator', email: operator.email }, 'oauth');
    await button('Look it up').click();
    await page.getByText('There is nothing at this address.').waitFor();
    expect(await faultsOf()).toEqual({});
    await page.reload();
    await page.getByText('There is no such page').waitFor();

    expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
  });

  step('have violated no policy, and no script of them has failed', () => {
    expect(complaints).toEqual([]);
  });
});
