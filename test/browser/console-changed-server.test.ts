import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Script } from '../support/cli/model-answers.ts';
import { type ScriptedModel, startScriptedModel } from '../support/cli/scripted-model.ts';
import { startTarget, type TestTarget } from '../support/mcp/router-target.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import { consoleFaults, openConsole, type OpenConsole } from '../support/pages/console.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';
import { inOrder } from '../support/story.ts';

const inChromium = hasChromium ? describe : describe.skip;

/** Operations by method and path, each with its name. */
type Operations = Readonly<Record<string, string>>;

const described = (url: string, operations: Operations) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const [place, operationId] of Object.entries(operations)) {
    const [method = '', path = ''] = place.split(' ');
    paths[path] = { ...paths[path], [method]: { operationId, responses: {} } };
  }
  return { openapi: '3.1.0', info: { title: 'Notes', version: '1' }, servers: [{ url }], paths };
};

const LIST: Operations = { 'get /echo/notes': 'listNotes' };
const WITH_WIPE: Operations = { ...LIST, 'post /echo/wipe': 'wipeAll' };
/** The same name, and nothing is as it was. */
const DELETES: Operations = { 'delete /echo/notes': 'listNotes' };

const CHANGED = 'The server has changed since this page read it';

inChromium('a page of a server that changes meanwhile', () => {
  const step = inOrder();
  let service: WholeService;
  let chromium: Browser;
  let opened: OpenConsole;
  let owner: SignedIn;
  let model: ScriptedModel;
  let target: TestTarget;
  beforeAll(async () => {
    [model, target] = await Promise.all([startScriptedModel(), startTarget()]);
    [service, chromium] = await Promise.all([
      startWholeService(),
      launchChromium({ args: [...model.browserArguments] }),
    ]);
    opened = await openConsole(service, chromium);
    owner = await signedIn(service);
    await opened.signIn(owner.person);
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
    await target.stop();
    await model.stop();
  });

  const deploy = async (slug: string, operations: Operations, more: object = {}): Promise<void> => {
    const openapi = described(target.url, operations);
    const made = await owner.send('POST', '/deployments', { slug, openapi, ...more });
    expect(made.status).toBe(201);
  };
  const publish = async (slug: string, operations: Operations): Promise<void> => {
    const openapi = described(target.url, operations);
    const published = await owner.send('PUT', `/deployments/${slug}/openapi`, { openapi });
    expect(published.status).toBe(200);
  };
  const change = async (slug: string, body: object): Promise<void> => {
    expect((await owner.send('PATCH', `/deployments/${slug}`, body)).status).toBe(200);
  };
  const begin = async (slug: string): Promise<void> => {
    const { page, open } = opened;
    await open(`/servers/${slug}/talk/anthropic`);
    await page.getByLabel('Model', { exact: true }).fill('a-model');
    await page.getByLabel('Your key').fill('a-key');
    await page.getByLabel('What you would ask for').waitFor();
  };
  const ask = async (wish: string, ...answers: readonly Script[]): Promise<void> => {
    const { page } = opened;
    model.script(...answers);
    await page.getByLabel('What you would ask for').fill(wish);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
  };
  const called = (): readonly string[] => target.seen.filter((one) => !one.startsWith('GET '));
  const told = (at: number): string => JSON.stringify(model.asked()[at]?.body);
  const wipe: Script = { calls: [['call_operation', { name: 'wipeAll', arguments: {} }]] };

  step(
    'in search mode a model calls an operation that came meanwhile only once asked',
    async () => {
      const { page } = opened;
      await deploy('searched', LIST, { tool_mode: 'search' });
      await begin('searched');
      await publish('searched', WITH_WIPE);
      await ask('Wipe it', wipe, wipe, { text: 'Then not.' });

      // What it does is not known to the page, so that the person is asked; and it is not sent, whatever they say.
      await page.getByText('This page knows no operation of this name').waitFor();
      await page.getByRole('button', { name: 'Call it', exact: true }).click();
      await page.getByText(CHANGED).waitFor();
      await page.getByText('Not called: the server has changed').waitFor();
      // Asked anew, of what is there now.
      await page.getByText('It sends').waitFor();
      await page.getByText('POST /echo/wipe').waitFor();
      expect(told(1)).toContain('This call was not made: the server has changed');
      await page.getByRole('button', { name: 'Skip' }).click();
      await page.getByText('Then not.').waitFor();
      expect(called()).toEqual([]);
      expect(await consoleFaults(page)).toEqual({});
    },
  );

  step('and calls it, where the person allows that of the present server', async () => {
    const { page } = opened;
    await ask('Wipe it all the same', wipe, { text: 'Wiped.' });
    await page.getByText('POST /echo/wipe').waitFor();
    await page.getByRole('button', { name: 'Call it', exact: true }).click();
    await page.getByText('Wiped.').waitFor();
    expect(called()).toEqual(['POST /echo/wipe']);
  });

  step('searches and reads are of the server that the page has read, too', async () => {
    const { page } = opened;
    await publish('searched', { ...WITH_WIPE, 'get /echo/more': 'readMore' });
    const look: Script = { calls: [['search_operations', { query: 'more' }]] };
    await ask('Look', look, look, { text: 'Found.' });
    await page.getByText('Found.').waitFor();
    expect(told(1)).toContain('This call was not made: the server has changed');
    expect(told(2)).toContain('readMore');
  });

  step('a tool that deletes now and only read before is asked about', async () => {
    const { page } = opened;
    await deploy('tools', LIST);
    await begin('tools');
    await publish('tools', DELETES);
    const before = target.seen.length;
    // Of one choice nothing is called once one call of it shows the change.
    const twice: Script = {
      calls: [
        ['listNotes', {}],
        ['listNotes', {}],
      ],
    };
    await ask('List them', twice, { calls: [['listNotes', {}]] }, { text: 'Deleted.' });
    await page.getByText('DELETE /echo/notes').waitFor();
    expect(await page.getByText('Not called: the server has changed').count()).toBe(2);
    expect(target.seen).toHaveLength(before);
    await page.getByRole('button', { name: 'Call it', exact: true }).click();
    await page.getByText('Deleted.').waitFor();
    expect(target.seen.slice(before)).toEqual(['DELETE /echo/notes']);
    // The choice is the one that was made of what is there.
    await page.getByRole('button', { name: 'Keep as a case' }).waitFor();
  });

  step('no less where only what calls carry, or where they go, is another', async () => {
    const { page } = opened;
    await publish('tools', LIST);
    await begin('tools');
    for (const [at, body] of [
      { request_headers: { 'X-Tenant': 'other' } },
      { api_base_url: `${target.url}/echo/other` },
    ].entries()) {
      await change('tools', body);
      const before = target.seen.length;
      await ask('List', { calls: [['listNotes', {}]] }, { text: `Stopped ${at}.` });
      await page.getByText(`Stopped ${at}.`).waitFor();
      expect(target.seen).toHaveLength(before);
      await ask('Again', { calls: [['listNotes', {}]] }, { text: `Listed ${at}.` });
      await page.getByText(`Listed ${at}.`).waitFor();
      expect(target.seen).toHaveLength(before + 1);
    }
  });

  step(
    'where the server cannot be read again, the talk says so and goes on from there',
    async () => {
      const { page } = opened;
      await change('tools', { request_headers: {} });
      const read = '**/v1/mcp-management/deployments/tools/tools*';
      await page.route(read, (route) => route.fulfill({ status: 500, json: { code: 'fault' } }));
      const list: Script = { calls: [['listNotes', {}]] };
      await ask('List once more', list, list, { text: 'Here.' });
      await page.getByText('Nothing of the talk is lost').waitFor();
      await page.unroute(read);
      const before = target.seen.length;
      await page.getByRole('button', { name: 'Send it again' }).click();
      await page.getByText('Here.').waitFor();
      expect(target.seen).toHaveLength(before);
      expect(told(1)).toContain('the server has changed');
    },
  );

  step('a tool is tried as the page shows it, or not at all', async () => {
    const { page, open } = opened;
    await deploy('tried', LIST);
    await open('/servers/tried/tools?tool=listNotes&view=try');
    const call = page.getByRole('button', { name: 'Call', exact: true });
    await call.waitFor();
    await publish('tried', DELETES);
    const before = target.seen.length;
    await call.click();
    await page.getByText('It was changed elsewhere in the meantime.').waitFor();
    expect(target.seen).toHaveLength(before);
    await page.getByRole('button', { name: 'Show the present state' }).click();
    await page.getByText('DELETE', { exact: true }).waitFor();
    await call.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('DELETE /echo/notes').waitFor();
    await dialog.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('200 OK').waitFor();
    expect(target.seen.slice(before)).toEqual(['DELETE /echo/notes']);
  });

  step('with a former version, by what the tool was in that', async () => {
    const { page, open } = opened;
    await publish('tried', LIST);
    await open('/servers/tried/tools?tool=listNotes&view=try&version=2');
    await page.getByText('With version 2, which is not the served one').waitFor();
    const before = target.seen.length;
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('dialog').getByText('DELETE /echo/notes').waitFor();
    expect(target.seen).toHaveLength(before);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await open('/servers/tried/tools?tool=listNotes&view=try&version=77');
    await page.getByText('has no such version').waitFor();
  });

  step('a server is removed as it was when its owner was asked', async () => {
    const { page, open } = opened;
    await open('/servers/tried/settings');
    await page.getByRole('button', { name: 'Remove it' }).click();
    await change('tried', { name: 'Another one' });
    await page.getByLabel('Type tried to confirm').fill('tried');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('It was changed elsewhere in the meantime.').waitFor();
    expect((await owner.send('GET', '/deployments/tried')).status).toBe(200);
  });

  step('a version is published as it was previewed beside the present one', async () => {
    const { page, open } = opened;
    await open('/servers/tried/versions');
    const buffer = Buffer.from(JSON.stringify(described(target.url, WITH_WIPE)));
    await page.setInputFiles('#version-file', {
      name: 'next.json',
      mimeType: 'text/plain',
      buffer,
    });
    const publishing = page.getByRole('button', { name: /^Publish as version/ });
    await publishing.waitFor();
    await change('tried', { name: 'Yet another' });
    await publishing.click();
    await page.getByRole('button', { name: 'Show the present state' }).click();
    await page.getByText('The server has changed since this preview.').waitFor();
    expect(await publishing.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Preview it again' }).click();
    await page.getByText('The server has changed since this preview.').waitFor({ state: 'hidden' });
    await publishing.click();
    await page.getByText(/^Version \d+ is served\.$/).waitFor();
    expect(await consoleFaults(page)).toEqual({});
  });
});
