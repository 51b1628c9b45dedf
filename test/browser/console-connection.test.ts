import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, type OpenConsole, openConsole } from '../support/pages/console.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'Done.' } } } } },
};

inChromium('the console over a slow or a broken connection', () => {
  let service: WholeService;
  let chromium: Browser;
  let owner: SignedIn;
  let console: OpenConsole;
  let page: Page;

  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    owner = await signedIn(service);
    const wanted = { slug: 'orders', name: 'All orders', openapi: OPENAPI };
    expect((await owner.send('POST', '/deployments', wanted)).status).toBe(201);
    console = await openConsole(service, chromium);
    page = console.page;
    page.setDefaultTimeout(20_000);
    await console.signIn(owner.person);
    await console.open('/servers/orders/tools');
    await page.getByLabel('Find a tool').waitFor();
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Parts of this server' }).getByRole('link', { name });
  const title = () => page.getByRole('heading', { level: 1, name: 'All orders' });

  test('the name of a server and its tabs stay while the code of a page is on its way', async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/console/activity-*.js', async (route) => {
      await arrived;
      await route.continue();
    });
    await tab('Activity').click();
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'attached' });
    expect(await title().isVisible()).toBe(true);
    expect(await tab('Versions').isVisible()).toBe(true);
    expect(await consoleFaults(page)).toEqual({});
    arrive();
    await page.getByRole('heading', { name: 'Calls', exact: true }).first().waitFor();
    await page.unrouteAll();
  });

  test('they stay while nothing can be reached, and what is missing comes as soon as it can', async () => {
    await tab('Versions').click();
    await page.getByText('Version 1', { exact: true }).waitFor();
    await console.context.setOffline(true);
    await tab('Activity').click();
    await page.getByText('The service could not be reached.').first().waitFor();
    expect(await title().isVisible()).toBe(true);
    expect(await consoleFaults(page)).toEqual({});
    await console.context.setOffline(false);
    await page
      .getByText('The service could not be reached.')
      .first()
      .waitFor({ state: 'detached' });
    expect(await page.getByText('The service could not be reached.').count()).toBe(0);
  });

  test('a page whose code could not be loaded comes when the connection is there again', async () => {
    await console.context.setOffline(true);
    await tab('Access').click();
    await page.getByText('This page could not be loaded').waitFor();
    expect(await title().isVisible()).toBe(true);
    await console.context.setOffline(false);
    await page.getByRole('radio', { name: /^Public/ }).waitFor();
  });

  test('a service that was away, and not the network, is found again', async () => {
    await console.open('/servers/orders/tools');
    await page.getByLabel('Find a tool').waitFor();
    await page.route('**/mcp-management/**', (route) => route.abort('connectionrefused'));
    await tab('Versions').click();
    await page.getByText('The service could not be reached.').first().waitFor();
    await page.unrouteAll();
    await page.getByText('Version 1', { exact: true }).waitFor();
    expect(await page.getByText('The service could not be reached.').count()).toBe(0);
  });

  test('a server that cannot be read leaves its address and its tabs', async () => {
    await page.route('**/mcp-management/deployments/**', (route) =>
      route.abort('connectionrefused'),
    );
    await console.open('/servers/orders/tools');
    await page.getByText('The service could not be reached.').first().waitFor();
    expect(await page.getByRole('heading', { level: 1, name: 'orders' }).isVisible()).toBe(true);
    await tab('Versions').click();
    await page.unrouteAll();
    await page.getByText('Version 1', { exact: true }).waitFor();
    expect(await title().isVisible()).toBe(true);
  });

  test('a console that is opened while the service is away signs in when it is back', async () => {
    await page.route('**/console/token', (route) => route.abort('connectionrefused'));
    await page.reload();
    await page.getByText('The service could not be reached.').first().waitFor();
    await page.unrouteAll();
    await title().waitFor();
  });
});
