import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import {
  consoleFaults,
  openConsole,
  type OpenConsole,
  widthFaults,
} from '../support/pages/console.ts';
import { aDescription } from '../support/openapi/descriptions.ts';
import { inOrder } from '../support/story.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const BY = 'github.com/acme/orders:servers.yaml';

inChromium('a server that a file declares, in the console', () => {
  const step = inOrder();
  let service: WholeService;
  let chromium: Browser;
  let opened: OpenConsole;
  let token = '';
  beforeAll(async () => {
    [service, chromium] = await Promise.all([startWholeService(), launchChromium()]);
    opened = await openConsole(service, chromium);
    await opened.signIn(await service.person());
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  step('a token for the pipeline is made, shown once, and listed without its text', async () => {
    const { page, open, press } = opened;
    await open('/account');
    await page.getByLabel('What the token is for').fill('pipeline');
    await page.getByLabel('Only these servers').fill('orders-*, No');
    await press('Create the token');
    await page.getByText(/or its beginning and/).waitFor();
    await page.getByLabel('Only these servers').fill('orders-*');
    await press('Create the token');
    await page.getByText('Copy it now: it is shown this once.').waitFor();
    token = (await page.getByText(/^hmt_/).textContent())?.trim() ?? '';
    expect(token).toMatch(/^hmt_[\w-]{51}$/);
    expect(await consoleFaults(page)).toEqual({});
    expect(await widthFaults(page)).toEqual({});
    await page.reload();
    await page.getByText('orders-* · never used').waitFor();
    expect(await page.content()).not.toContain(token);
  });

  step('a machine is trusted by numbers, and its id can be copied', async () => {
    const { page, press } = opened;
    await page.getByLabel('What the machine is for').fill('orders');
    await press('Add trust');
    await page.getByText(/fields are missing or wrong/).waitFor();
    await page.getByLabel('Number of the repository').fill('4711');
    await page.getByLabel('Number of its owner').fill('815');
    await page.getByLabel('Environment').fill('production');
    await press('Add trust');
    await page.getByText(/repository_id=4711/).waitFor();
    await page.getByLabel('It is').selectOption('aws');
    await page.getByLabel('What the machine is for').fill('build');
    await page.getByLabel('Account', { exact: true }).fill('111122223333');
    await page.getByLabel('Name of the role').fill('orders-build');
    await press('Add trust');
    await page.getByText(/role=orders-build/).waitFor();
    expect(await consoleFaults(page)).toEqual({});
    expect(await widthFaults(page)).toEqual({});
  });

  step('what the pipeline applies is there, and says where it is declared', async () => {
    const { page, open } = opened;
    const declaration = { openapi: JSON.stringify(aDescription()), name: 'Orders' };
    const path = `${service.baseUrl}/mcp-management/deployments/orders-one/declaration`;
    const answer = await fetch(path, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ declaration, managed_by: BY }),
    });
    expect(answer.status).toBe(200);
    await open('/servers/orders-one/settings');
    await page.getByText(`Declared in ${BY}.`).waitFor();
    expect(await consoleFaults(page)).toEqual({});
    expect(await widthFaults(page)).toEqual({});
  });

  step('what is changed here is refused in words, and pausing is not', async () => {
    const { page, press } = opened;
    await page.getByLabel('Name', { exact: true }).fill('By hand');
    await press('Save');
    await page.getByText(/orders-one is managed by .*change it there/).waitFor();
    await press('Pause it');
    await page.getByRole('button', { name: 'Resume it' }).waitFor();
  });

  step('released, it is changed here again', async () => {
    const { page, open, press } = opened;
    await press('Release it');
    await page.getByRole('dialog').getByRole('button', { name: 'Release it' }).click();
    await page.getByText(`Declared in ${BY}.`).waitFor({ state: 'detached' });
    await open('/servers/orders-one/settings');
    await page.getByLabel('Name', { exact: true }).fill('By hand');
    await press('Save');
    await page.getByRole('heading', { name: 'By hand' }).waitFor();
  });

  step('the token ends at once', async () => {
    const { page, open, press, complaints } = opened;
    await open('/account');
    await press(/End it pipeline/);
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByText('orders-* · used on').waitFor({ state: 'detached' });
    const answer = await fetch(`${service.baseUrl}/mcp-management/deployments`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(401);
    expect(complaints).toEqual([]);
  });
});
