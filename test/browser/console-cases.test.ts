import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Route } from 'playwright-core';
import { PROTOCOLS } from '../../layers/openapi/model-apis/protocols.ts';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { hasChromium, launchChromium } from '../support/pages/browser.ts';
import {
  consoleFaults,
  openConsole,
  type OpenConsole,
  reaches,
  widthFaults,
} from '../support/pages/console.ts';
import { FORMS, type Script } from '../support/cli/model-answers.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { inOrder } from '../support/story.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const inChromium = hasChromium ? describe : describe.skip;

const HOST = { name: 'ours', url: 'https://llm.example.com/v1' };
const HOSTS = [
  ...Object.entries(PROTOCOLS).map(([vendor, { url }]) => ({ vendor, form: vendor, url })),
  { vendor: HOST.name, form: 'openai', url: HOST.url },
];
const KEY = 'canary-key-of-a-vendor-5b1d';
const INJECTION = '<img src=x onerror="document.title=1">';

const MYSTERIES = {
  wish: 'Which mysteries are there?',
  tool: 'listBooks',
  arguments: { genre: 'mystery' },
};
const ONE = { wish: 'What is book 1?', tool: 'getBook' };
const GREETING = { wish: 'Good morning', tool: null };

inChromium('the cases of a server', () => {
  const step = inOrder();
  let service: WholeService;
  let chromium: Browser;
  let opened: OpenConsole;
  let owner: SignedIn;
  let asked: string[] = [];
  /** What the model does with a wish, which it hears of in the text of the request. */
  let model: (request: string) => Script | Promise<Script>;
  beforeAll(async () => {
    [service, chromium] = await Promise.all([
      startWholeService({}, { settings: { MODEL_HOSTS: JSON.stringify([HOST]) } }),
      launchChromium(),
    ]);
    opened = await openConsole(service, chromium);
    owner = await signedIn(service);
    await opened.signIn(owner.person);
    await service.publish(owner.person, { slug: 'shop', authMethod: 'none' });
    for (const { form, url } of HOSTS) {
      await opened.page.route(`${url}/**`, (route) => answer(route, form));
    }
  });
  afterAll(async () => {
    await chromium.close();
    await service.stop();
  });

  const answer = async (route: Route, vendor: string): Promise<void> => {
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    const request = route.request();
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: cors });
    const text = request.postData() ?? '';
    asked.push(text);
    const script = await model(text);
    const { status = 200, raw, text: said } = script;
    const body =
      raw ?? JSON.stringify(status === 200 ? FORMS[vendor]!(script) : { error: { message: said } });
    // Of one that was stopped, nobody is there to hear it.
    return route
      .fulfill({ status, headers: cors, contentType: 'application/json', body })
      .catch(() => undefined);
  };
  const right = (request: string): Script => {
    if (request.includes(MYSTERIES.wish)) return { calls: [['listBooks', { genre: 'mystery' }]] };
    return request.includes(ONE.wish) ? { calls: [['getBook', {}]] } : { text: 'Hello!' };
  };
  const kept = async (path = 'cases') =>
    (await owner.send('GET', `/deployments/shop/${path}`)).body;
  const runs = async () => (await kept('case-runs'))['runs'] as readonly object[];
  const put = (...cases: readonly object[]) =>
    owner.send('PUT', '/deployments/shop/cases', { cases });
  const of = (wish: string) => opened.page.getByRole('region', { name: wish, exact: true });
  const begin = async (vendor: string): Promise<void> => {
    const { page, open } = opened;
    await open('/servers/shop/cases');
    await page.getByRole('link', { name: PROTOCOLS[vendor]?.name ?? vendor, exact: true }).click();
    await page.getByLabel('Model', { exact: true }).fill('a-model');
    await page.getByLabel('Your key').fill(KEY);
    await page.getByLabel('Price').fill('3/15');
  };
  const run = async (): Promise<void> => {
    asked = [];
    await opened.page.getByRole('button', { name: /^Run \d+ case/ }).click();
  };

  step('are added, changed and removed', async () => {
    const { page, open, press } = opened;
    await open('/servers/shop/tools');
    await page.getByRole('link', { name: 'Cases' }).click();
    await page.getByText('None yet.').waitFor();
    await press('Add a case');
    await page.getByLabel('What a person would ask for').fill('Which mysteries?');
    await page.getByLabel('The tool that should be chosen').selectOption('listBooks');
    await page.getByLabel('Arguments').fill('{"genre": ');
    await press('Keep it');
    await page.getByText('Write a JSON object').waitFor();
    await page.getByLabel('Arguments').fill('{"genre": "mystery"}');
    await press('Keep it');
    await of('Which mysteries?').waitFor();
    await press('Change it');
    await page.getByLabel('What a person would ask for').fill(MYSTERIES.wish);
    await press('Keep it');
    await of(MYSTERIES.wish).waitFor();
    expect(await kept()).toEqual({ cases: [MYSTERIES] });
    await press('Add a case');
    await page.getByLabel('What a person would ask for').fill(GREETING.wish);
    await press('Keep it');
    await of(GREETING.wish).getByText('No tool').waitFor();
    await of(MYSTERIES.wish).getByRole('button', { name: 'Remove it' }).click();
    await of(MYSTERIES.wish).waitFor({ state: 'detached' });
    expect(await kept()).toEqual({ cases: [GREETING] });
  });

  step('what the service refuses is said in place, and what was typed stays', async () => {
    const { page, press } = opened;
    await press('Add a case');
    await page.getByLabel('What a person would ask for').fill(GREETING.wish);
    await press('Keep it');
    await page.getByText('given before').waitFor();
    await put(GREETING, ONE);
    await page.getByLabel('What a person would ask for').fill(INJECTION);
    await press('Keep it');
    await page.getByText('It was changed elsewhere in the meantime.').waitFor();
    await press('Show the present state');
    await of(ONE.wish).waitFor();
    expect(await page.getByLabel('What a person would ask for').inputValue()).toBe(INJECTION);
    await press('Keep it');
    await of(INJECTION).waitFor();
    expect(await page.title()).not.toBe('1');
    await page.getByText('All of them as a file').click();
    await page.getByText(`- wish: ${JSON.stringify(INJECTION)}`).waitFor();
    await put(MYSTERIES, ONE, GREETING);
  });

  for (const { vendor } of HOSTS) {
    step(`${vendor}: a model is asked each, and what was right is kept`, async () => {
      const { page } = opened;
      model = (request) =>
        request.includes(ONE.wish) ? { calls: [['placeOrder', {}]] } : right(request);
      await begin(vendor);
      await run();
      await page.getByText('2 of 3 cases right.').first().waitFor();
      await of(ONE.wish).getByText('The model called placeOrder.').waitFor();
      await of(ONE.wish).getByText('Wrong').waitFor();
      expect(await page.getByText('Right', { exact: true }).count()).toBe(2);
      await page.getByText('3,000 tokens in, 60 out. That is $0.0099.').waitFor();
      expect(asked).toHaveLength(3);
      expect(asked.join('')).toContain('listBooks');
      await page.getByText(`${vendor}/a-model`).first().waitFor();
      const last = { model: `${vendor}/a-model`, version: 1, right: 2, cases: 3 };
      expect((await runs())[0]).toMatchObject(last);
      expect(await kept('case-runs')).toMatchObject({
        results: [{ right: true }, { right: false }, { right: true }],
      });
    });
  }

  step('what is otherwise than in the run before is marked', async () => {
    model = right;
    await run();
    await opened.page.getByText('3 of 3 cases right.').waitFor();
    await of(ONE.wish).getByText('Not so before').waitFor();
    expect(await opened.page.getByText('Not so before').count()).toBe(1);
  });

  step(
    'a tool that there is not, and an answer that is nonsense, spoil one case each',
    async () => {
      const { page } = opened;
      await put(MYSTERIES, ONE, GREETING, { wish: 'Fly', tool: 'flyZeppelin' });
      await begin('openai');
      model = (request) => {
        if (request.includes(ONE.wish)) return { raw: 'nonsense' };
        return request.includes(GREETING.wish) ? { calls: [[INJECTION, {}]] } : right(request);
      };
      await run();
      await page.getByText('1 of 4 cases right.').first().waitFor();
      await of(ONE.wish).getByText('gave no answer: The model answered what nobody').waitFor();
      await of(GREETING.wish).getByText(`called ${INJECTION}, which there is not`).waitFor();
      await of('Fly').getByText('was not asked: there is no such tool').waitFor();
      expect(asked).toHaveLength(3);
      expect(await page.title()).not.toBe('1');
      if (process.env['PICTURE'])
        await page.screenshot({ path: process.env['PICTURE'], fullPage: true });
      expect(await consoleFaults(page)).toEqual({});
      expect(await widthFaults(page)).toEqual({});
    },
  );

  step('a refused key ends the run; what was found stands, and nothing is kept', async () => {
    const { page } = opened;
    const before = await runs();
    model = (request) =>
      request.includes(MYSTERIES.wish) ? right(request) : { status: 401, text: `wrong key ${KEY}` };
    await run();
    await page.getByText(/The vendor refuses the key \(HTTP 401\): wrong key \*\*\*/).waitFor();
    await page.getByText('This run is not kept.').waitFor();
    await of(MYSTERIES.wish).getByText('Right').waitFor();
    expect(await runs()).toEqual(before);
  });

  step('a run is stopped, and begun again', async () => {
    const { page, press } = opened;
    const before = await runs();
    let go = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      go = resolve;
    });
    model = async (request) => {
      if (!request.includes(MYSTERIES.wish)) await waiting;
      return right(request);
    };
    await run();
    await page.getByText('1 of 4 cases asked…').waitFor();
    await press('Stop');
    await page.getByText('You stopped it. 1 of 4 cases were asked').waitFor();
    go();
    expect(await runs()).toEqual(before);
    model = right;
    await run();
    await page.getByText('3 of 4 cases right.').first().waitFor();
    expect(await runs()).toHaveLength(before.length + 1);
  });

  step('a run of cases that are changed meanwhile is shown, and not kept', async () => {
    const { page } = opened;
    const before = await runs();
    let isFirst = true;
    model = async (request) => {
      if (isFirst) {
        isFirst = false;
        await put(MYSTERIES);
      }
      return right(request);
    };
    await run();
    await page.getByText('This run is not kept. The cases were changed').waitFor();
    expect(await runs()).toEqual(before);
  });

  step('the page reaches its vendor and nobody else', async () => {
    const { page, open } = opened;
    model = right;
    expect(await reaches(page, `${PROTOCOLS['openai']!.url}/v1/x`)).toBe(true);
    expect(await reaches(page, `${PROTOCOLS['anthropic']!.url}/v1/x`)).toBe(false);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
    expect(await reaches(page, `${PROTOCOLS['openai']!.url}/v1/x`)).toBe(false);
    for (const path of [
      '/servers/shop/cases/nobody',
      '/servers/shop/cases',
      '/servers/cases/x/openai',
    ]) {
      await open(path);
      expect(await reaches(page, `${PROTOCOLS['openai']!.url}/v1/x`)).toBe(false);
    }
  });

  step('the key is nowhere but at the vendor', async () => {
    const { page } = opened;
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    expect(stored + page.url()).not.toContain(KEY);
    expect((await service.kept()).filter(([, text]) => text.includes(KEY))).toEqual([]);
  });

  step('how many must be right is a setting, and what it holds back is said in place', async () => {
    const { page, open, press } = opened;
    await put(MYSTERIES);
    await open('/servers/shop/settings');
    const field = page.getByLabel('Minimum evaluation score to publish');
    await field.fill('most');
    await press('Save');
    await field.and(page.locator('[aria-invalid]')).waitFor();
    expect(await asksFor()).toBe(null);
    await field.fill('80');
    await press('Save');
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    expect(await asksFor()).toBe(80);

    await open('/servers/shop/tools?tool=listBooks');
    await page.getByRole('button', { name: 'Change it' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Every book.');
    await press('Save');
    await page.getByText('its cases are not right').waitFor();
    await page.getByText('80 percent of 1 must be right').waitFor();
  });
  const asksFor = async () => (await owner.send('GET', '/deployments/shop')).body['cases_right'];

  step('a new version is asked about before it is published, and then published', async () => {
    const { page, open, press } = opened;
    const text = (await readFile(SAMPLE_DESCRIPTION, 'utf8')).replace('cheapest first', 'sorted');
    await open('/servers/shop/versions');
    await page
      .getByLabel('File of the new version')
      .setInputFiles({ name: 'next.yaml', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await press(/^Publish as version/);
    await page.getByText('80 percent of 1 must be right').waitFor();
    await page.getByRole('link', { name: 'Ask a model the cases first' }).click();
    await page.getByRole('link', { name: 'OpenAI', exact: true }).click();
    await page.getByLabel('Model', { exact: true }).fill('a-model');
    await page.getByLabel('Your key').fill(KEY);
    await page.getByLabel('With the tools of').selectOption('next');
    model = right;
    await run();
    await page.getByText('1 of 1 case right.').waitFor();
    expect(asked.join('')).toContain('sorted');
    await page.getByText('a version before it was published').waitFor();

    await page.getByRole('link', { name: 'Versions' }).click();
    await press('Preview next.yaml');
    await press(/^Publish as version/);
    await page.getByText(/^Version \d is served/).waitFor();
    const { body } = await owner.send('GET', '/deployments/shop');
    expect(body['cases_right']).toBe(80);
    expect(body['version']).toBeGreaterThan(1);
  });

  step('an earlier version is asked about with its own tools', async () => {
    await begin('openai');
    const { page } = opened;
    await page.getByLabel('With the tools of').selectOption('1');
    await run();
    await page.getByText('1 of 1 case right.').waitFor();
    expect(asked.join('')).toContain('cheapest first');
    expect(asked.join('')).not.toContain('sorted');
    expect((await runs())[0]).toMatchObject({ version: 1, right: 1 });
  });

  step('a file that is pasted replaces all of them', async () => {
    const { page, open, press } = opened;
    await open('/servers/shop/cases');
    await press('Paste a file');
    const file = page.getByLabel('A file of cases');
    await file.fill('version: 1\ncases:\n  - wish: [');
    await press('Replace 1 case');
    await page.getByText('Nothing has been replaced').waitFor();
    await page.getByText('This is no YAML').waitFor();
    await file.fill('version: 1\ncases:\n  - wish: Hello\n    arguments: none');
    await press('Replace 1 case');
    await page.getByText('Name the tool that should be chosen').waitFor();
    await page.getByText('Write names and values').waitFor();
    // What the service refuses is said in place, too.
    await file.fill('version: 1\ncases:\n  - {wish: Hi, tool: null}\n  - {wish: Hi, tool: null}');
    await press('Replace 1 case');
    await page.getByText('A wish is there twice').waitFor();
    expect(await kept()).toEqual({ cases: [MYSTERIES] });
    expect(await consoleFaults(page)).toEqual({});

    await file.fill(
      'version: 1\nserver: shop\ncases:\n' +
        `  - wish: ${GREETING.wish} # nothing to do\n    tool: null\n` +
        `  - wish: ${MYSTERIES.wish}\n    tool: listBooks\n    arguments: {genre: mystery}\n`,
    );
    await press('Replace 1 case');
    await of(GREETING.wish).waitFor();
    expect(await kept()).toEqual({ cases: [GREETING, MYSTERIES] });
    expect(await file.count()).toBe(0);
  });

  step('in search mode a model may look for the operation that it chooses', async () => {
    await owner.send('PATCH', '/deployments/shop', { tool_mode: 'search', cases_right: null });
    model = (request) => {
      if (request.includes(GREETING.wish)) return { text: 'Hello!' };
      const found = request.includes('Matching') || request.includes('GET /books');
      return found
        ? { calls: [['call_operation', { name: 'listBooks', arguments: { genre: 'mystery' } }]] }
        : { calls: [['search_operations', { query: 'books by genre' }]] };
    };
    await begin('openai');
    const { page } = opened;
    expect(await page.getByLabel('With the tools of').count()).toBe(0);
    await run();
    await page.getByText('2 of 2 cases right.').waitFor();
    expect(asked).toHaveLength(3);
    await page.getByText('3,000 tokens in, 60 out. That is $0.0099.').waitFor();
  });
});
