import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { aDescription } from '../support/openapi/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../support/service/management.ts';
import { FORMS, type Script } from '../support/cli/model-answers.ts';
import { fetchFrom } from '../support/service/service-fetch.ts';
import { anHttpServer } from '../support/target/target-server.ts';

const SERVICE = 'https://mcp.example.com/v1';
const KEY = 'canary-key-4711';

let service: TestManagement;
let owner: Owner;
let machine: TestMachine;
let vendor: Awaited<ReturnType<typeof anHttpServer>>;
let wishes: string[];
/** What the model does with each wish. */
let model: (wish: string) => Script;
/** Before each question of the model. */
let meanwhile: () => Promise<unknown>;
beforeAll(async () => {
  service = await aManagementService();
  owner = await service.owner({ plan: 'pro' });
  vendor = await anHttpServer(({ body: sent }, response) => {
    const { messages } = JSON.parse(sent.toString()) as {
      readonly messages: readonly { readonly content: string }[];
    };
    const wish = messages.at(-1)!.content;
    wishes.push(wish);
    const script = model(wish);
    const { status = 200, text, raw } = script;
    const body =
      raw ??
      JSON.stringify(status === 200 ? FORMS['openai']!(script) : { error: { message: text } });
    void meanwhile().then(() =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body),
    );
  });
});
afterAll(async () => {
  await vendor[Symbol.asyncDispose]();
  await service.stop();
});

let slug = '';
let made = 0;
beforeEach(async () => {
  wishes = [];
  model = right;
  meanwhile = async () => undefined;
  machine = await aMachineFor(SERVICE);
  if (slug !== '') await service.call('DELETE', `/deployments/${slug}`, { as: owner });
  slug = `pets-${(made += 1)}`;
  const body = { openapi: aDescription(), slug };
  await service.call('POST', '/deployments', { as: owner, body });
});

const at = (name: string): string => join(machine.folder, name);
const run = (...args: readonly string[]) =>
  machine.run([...args], {
    fetch: (url, request) =>
      url.startsWith(SERVICE) ? fetchFrom(service)(url, request) : fetch(url, request),
    environment: { HOSTED_MCP_TOKEN: owner.token, OPENAI_API_KEY: KEY },
  });
const evaluating = (...more: readonly string[]) =>
  run('eval', '--server', slug, '--model', 'openai/one', '--model-url', vendor.url, ...more);

const LIST = { wish: 'Which pets are there?', tool: 'listPets', arguments: { limit: 5 } };
const ONE = { wish: 'One pet: "Rex" \u200f', tool: 'getPet' };
const GREETING = { wish: 'Good morning', tool: null };
const keep = async (...cases: readonly object[]) =>
  service.call('PUT', `/deployments/${slug}/cases`, { as: owner, body: { cases } });
const kept = async (path = 'cases') =>
  (await service.call('GET', `/deployments/${slug}/${path}`, { as: owner })).body;

const right = (wish: string): Script => {
  if (wish === LIST.wish) return { calls: [['listPets', { limit: 5 }]] };
  return wish === GREETING.wish ? { text: 'Hello!' } : { calls: [['getPet', {}]] };
};

describe('the cases of a server on the command line', () => {
  test('are shown as a file, which sets the same again', async () => {
    await keep(LIST, ONE, GREETING);
    const shown = await run('cases', slug);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.out).toContain(`server: ${slug}`);
    expect(shown.out).not.toContain('\u200f');
    await writeFile(at('cases.yaml'), shown.out);
    await keep();
    const set = await run('cases', slug, '--set', at('cases.yaml'));
    expect(set).toMatchObject({ code: 0 });
    expect(set.out).toContain(`${slug} has 3 cases now.`);
    expect(await kept()).toEqual({ cases: [LIST, { ...ONE, wish: ONE.wish.trim() }, GREETING] });
  });

  test('may be none', async () => {
    await keep(LIST);
    await writeFile(at('none.yaml'), 'version: 1\ncases: []\n');
    expect(await run('cases', slug, '--set', at('none.yaml'))).toMatchObject({ code: 0 });
    const shown = await run('cases', slug);
    expect(shown.out).toContain('cases: []');
    expect(shown.errors).toContain(`keeps no cases of ${slug}`);
  });

  test.each([
    ['version: 1\ncases: {}\n', 'no cases'],
    ['version: 2\ncases: []\n', 'no cases'],
    ['version: 1\ncases: [{ wish: x }]\n', 'no tool'],
    ['version: 1\ncases: [{ wish: x, tool: null }, { wish: x, tool: null }]\n', 'given before'],
    ['- [', 'no YAML'],
  ])('are refused as %j, and stay', async (text, why) => {
    await keep(LIST);
    await writeFile(at('bad.yaml'), text);
    const said = await run('cases', slug, '--set', at('bad.yaml'));
    expect(said).toMatchObject({ code: 1 });
    expect(said.errors).toContain(why);
    expect(await kept()).toEqual({ cases: [LIST] });
  });
});

describe('eval without a file', () => {
  test('asks what the service keeps, and has it keep what came of it', async () => {
    await keep(LIST, ONE, GREETING);
    model = (wish) => (wish === GREETING.wish ? { calls: [['listPets', {}]] } : right(wish));
    const said = await evaluating('--json');
    expect(said).toMatchObject({ code: 1 });
    expect(JSON.parse(said.out)).toMatchObject({ right: 2, cases: 3, kept: true });
    expect(await kept('case-runs')).toMatchObject({
      runs: [{ model: 'openai/one', version: 1, right: 2, cases: 3, input_tokens: 3000 }],
      results: [{ right: true }, { right: true }, { wish: GREETING.wish, right: false }],
    });
  });

  test('tells what changed since the last run', async () => {
    await keep(LIST, GREETING);
    model = (wish) => (wish === GREETING.wish ? { calls: [['listPets', {}]] } : right(wish));
    await evaluating();
    expect((await evaluating()).out).not.toContain('now:');
    model = right;
    const last = await evaluating();
    expect(last).toMatchObject({ code: 0 });
    expect(last.out).toContain(`+ right now: ${GREETING.wish}`);
    await keep(LIST, GREETING, ONE);
    model = () => ({ text: 'What?' });
    const { out } = await evaluating();
    expect(out).toContain(`! wrong now: ${LIST.wish}`);
    expect(out).not.toContain(`now: ${ONE.wish.trim()}`);
  });

  test('keeps a run of a description by the hash of its tools', async () => {
    await keep({ wish: 'Find', tool: 'findPets' });
    model = () => ({ calls: [['findPets', {}]] });
    await writeFile(at('next.json'), JSON.stringify(aDescription(['findPets'])));
    expect(await evaluating('--openapi', at('next.json'))).toMatchObject({ code: 0 });
    const { runs } = (await kept('case-runs')) as { readonly runs: readonly object[] };
    expect(runs).toHaveLength(1);
    expect(runs[0]).not.toHaveProperty('version');
  });

  test('counts a case of a tool that there is not as wrong, and asks nobody of it', async () => {
    await keep(LIST, { wish: 'Fly', tool: 'flyZeppelin' });
    const said = await evaluating('--least', '50');
    expect(said).toMatchObject({ code: 0 });
    expect(said.out).toContain('flyZeppelin was wanted; it was not asked: there is no such tool');
    expect(wishes).toEqual([LIST.wish]);
  });

  test('says a tool that the model has invented', async () => {
    await keep(LIST);
    model = () => ({ calls: [['constructor', {}]] });
    expect((await evaluating()).out).toContain('it called constructor, which there is not');
  });

  test('goes on where one case gets nonsense for an answer', async () => {
    await keep(LIST, ONE, GREETING);
    model = (wish) => (wish === LIST.wish ? { raw: 'nonsense' } : right(wish));
    const said = await evaluating();
    expect(said).toMatchObject({ code: 1 });
    expect(said.out).toContain('it gave no answer: The model answered what nobody can read');
    expect(said.out).toContain('2 of 3 cases right');
    expect(await kept('case-runs')).toMatchObject({ runs: [{ right: 2, cases: 3 }] });
  });

  test('ends where the key is refused, and tells and writes what there is, but keeps no run', async () => {
    await keep(LIST, ONE, GREETING, ...many());
    model = (wish) =>
      wish.startsWith('More') ? { status: 401, text: `Bad key ${KEY}` } : right(wish);
    const said = await evaluating('--out', at('results.json'));
    expect(said).toMatchObject({ code: 1 });
    expect(said.errors).toContain('3 of 3 cases right');
    expect(said.errors).toContain('refuses the key (HTTP 401): Bad key ***');
    expect(JSON.parse(await readFile(at('results.json'), 'utf8'))).toMatchObject({ right: 3 });
    expect(await kept('case-runs')).toEqual({ runs: [], results: [] });
    expect(wishes.length).toBeLessThan(20);
    expect(said.out + said.errors).not.toContain(KEY);
  });
  const many = () => Array.from({ length: 40 }, (_, n) => ({ wish: `More ${n}`, tool: null }));

  test('keeps no run of cases that somebody changes meanwhile, and says so', async () => {
    await keep(LIST);
    meanwhile = () => keep(LIST, GREETING);
    const said = await evaluating();
    expect(said).toMatchObject({ code: 0 });
    expect(said.errors).toContain('has not kept this run: The cases were changed in the meantime');
    expect(await kept('case-runs')).toEqual({ runs: [], results: [] });
  });

  test('says that there are no cases, and which server is meant', async () => {
    const none = await evaluating();
    expect(none).toMatchObject({ code: 1 });
    expect(none.errors).toContain(`keeps no cases of ${slug}`);
    const nobody = await run('eval', '--model', 'openai/one');
    expect(nobody).toMatchObject({ code: 2 });
    expect(nobody.errors).toContain('No server is named: pass --server SLUG');
    expect(wishes).toEqual([]);
  });
});

describe('a server that asks for cases', () => {
  const versions = async () => (await run('show', slug, '--json')).out;
  const next = async (): Promise<string> => {
    await writeFile(at('next.json'), JSON.stringify(aDescription(['listPets', 'findPets'])));
    return at('next.json');
  };

  test('serves a new version once eval has asked about it, by the command that the refusal names', async () => {
    await keep(LIST, { wish: 'Find', tool: 'findPets' });
    expect(await run('set', slug, '--cases-right', '50')).toMatchObject({ code: 0 });
    const file = await next();
    const refused = await run('deploy', file, '--slug', slug);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.errors).toContain('its cases are not right');
    const command = `npx --no-install hosted-mcp eval --server ${slug} --openapi FILE`;
    expect(refused.errors).toContain(command);
    expect(await versions()).toContain('"version": 1,');

    model = () => ({ text: 'What?' });
    expect(await evaluating('--openapi', file)).toMatchObject({ code: 1 });
    expect((await run('deploy', file, '--slug', slug)).errors).toContain('0 of 2 cases were right');

    // Half of them are as many as the server asks for.
    model = right;
    expect(await evaluating('--openapi', file)).toMatchObject({ code: 0 });
    expect(await run('deploy', file, '--slug', slug)).toMatchObject({ code: 0 });
    expect(await versions()).toContain('"version": 2,');
  });

  test('serves what is overridden once eval has asked about that', async () => {
    await keep(LIST);
    await run('set', slug, '--cases-right', '100');
    await writeFile(at('o.json'), JSON.stringify({ listPets: { description: 'All the pets.' } }));
    const publish = () => run('set', slug, '--overrides', at('o.json'));
    expect((await publish()).errors).toContain('No model has been asked');
    expect(await evaluating()).toMatchObject({ code: 0 });
    expect((await publish()).errors).toContain('No model has been asked');
    expect(await evaluating('--overrides', at('o.json'))).toMatchObject({ code: 0 });
    expect(await publish()).toMatchObject({ code: 0 });
  });

  test('serves anything where its owner says so with it', async () => {
    await keep(LIST);
    await run('set', slug, '--cases-right', '100');
    const said = await run('deploy', await next(), '--slug', slug, '--cases-right', 'none');
    expect(said).toMatchObject({ code: 0 });
  });
});
