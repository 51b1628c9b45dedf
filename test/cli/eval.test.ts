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
import { fetchFrom } from '../support/service/service-fetch.ts';
import { anHttpServer } from '../support/target/target-server.ts';

const SERVICE = 'https://mcp.example.com/v1';
const KEY = 'canary-key-4711';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}
interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Record<string, unknown>;
}

/** Where the vendors have what a person says. */
interface Messages {
  readonly messages?: readonly { readonly content: string }[];
  readonly contents?: readonly { readonly parts: readonly { readonly text: string }[] }[];
}

let service: TestManagement;
let owner: Owner;
let machine: TestMachine;
let vendor: Awaited<ReturnType<typeof anHttpServer>>;
let asked: Asked[];
/** What the model does with each wish. */
let model: (wish: string, asked: Asked) => Answer;
beforeAll(async () => {
  service = await aManagementService();
  owner = await service.owner({ plan: 'pro' });
  const body = { openapi: aDescription(), slug: 'pets', instructions: 'Pets only.' };
  await service.call('POST', '/deployments', { as: owner, body });
  const searching = { openapi: aDescription(), slug: 'searching', tool_mode: 'search' };
  await service.call('POST', '/deployments', { as: owner, body: searching });
  vendor = await anHttpServer(({ url = '', headers, body: sent }, response) => {
    const one = {
      path: url,
      headers,
      body: JSON.parse(sent.toString()) as Record<string, unknown>,
    };
    asked.push(one);
    const { messages = [], contents = [] } = one.body as Messages;
    const wish = messages.at(-1)?.content ?? contents[0]?.parts[0]?.text ?? '';
    const { status = 200, headers: its = {}, body } = model(wish, one);
    response
      .writeHead(status, { 'content-type': 'application/json', ...its })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
});
afterAll(async () => {
  await vendor[Symbol.asyncDispose]();
  await service.stop();
});
beforeEach(async () => {
  asked = [];
  machine = await aMachineFor(SERVICE);
});

const at = (name: string): string => join(machine.folder, name);
const cases = async (...all: readonly object[]): Promise<string> => {
  const file = { version: 1, server: 'pets', cases: all };
  await writeFile(at('cases.yaml'), JSON.stringify(file));
  return at('cases.yaml');
};
const run = (
  args: readonly string[],
  environment: Record<string, string> = {},
  api: ReturnType<typeof fetchFrom> = fetchFrom(service),
) =>
  machine.run(['eval', ...args], {
    fetch: (url, request) => (url.startsWith(SERVICE) ? api(url, request) : fetch(url, request)),
    environment: {
      HOSTED_MCP_TOKEN: owner.token,
      ANTHROPIC_API_KEY: KEY,
      OPENAI_API_KEY: KEY,
      GEMINI_API_KEY: KEY,
      ...environment,
    },
  });
const asking = (name: string, file: string, ...more: readonly string[]) =>
  run([file, '--model', name, '--model-url', vendor.url, ...more]);

interface Called {
  readonly tool: string;
  readonly args: object;
}
/** How each vendor says what its model does. */
const SAYING: Readonly<Record<string, (calls: readonly Called[], text?: string) => unknown>> = {
  'anthropic/one': (calls, text = '') => ({
    content: [
      { type: 'text', text },
      ...calls.map(({ tool, args }) => ({ type: 'tool_use', id: 'x', name: tool, input: args })),
    ],
    usage: { input_tokens: 100, output_tokens: 10 },
  }),
  'openai/one': (calls, text) => ({
    choices: [
      {
        message: {
          content: text ?? null,
          tool_calls: calls.map(({ tool, args }) => ({
            type: 'function',
            function: { name: tool, arguments: JSON.stringify(args) },
          })),
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  }),
  'google/one': (calls, text = '') => ({
    candidates: [
      {
        content: {
          parts: [
            { text },
            ...calls.map(({ tool, args }) => ({ functionCall: { name: tool, args } })),
          ],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10 },
  }),
};

const LIST = { wish: 'Which pets are there?', tool: 'listPets', arguments: { limit: 5 } };

describe('asking a model which tool it would call', () => {
  test.each(Object.keys(SAYING))('says how many of the choices of %s are right', async (name) => {
    const saying = SAYING[name]!;
    model = (wish) => {
      if (wish.startsWith('Which'))
        return { body: saying([{ tool: 'listPets', args: { limit: 5, x: 1 } }]) };
      if (wish.startsWith('One')) return { body: saying([{ tool: 'listPets', args: {} }]) };
      return { body: saying([], 'Hello!') };
    };
    const file = await cases(
      LIST,
      { wish: 'One pet, please', tool: 'getPet' },
      { wish: 'Good morning', tool: null },
      { wish: 'Show me a pet', tool: 'getPet' },
    );
    const said = await asking(name, file, '--price', '3/15', '--out', at('results.json'));
    expect(said.code).toBe(1);
    expect(said.out).toContain('- One pet, please');
    expect(said.out).toContain('getPet was wanted; it called listPets');
    expect(said.out).toContain('it called nothing: Hello!');
    expect(said.out).toContain('2 of 4 cases right, 400 tokens in and 40 out, $0.0018.');
    expect(JSON.parse(await readFile(at('results.json'), 'utf8'))).toMatchObject({ right: 2 });
    expect(await asking(name, file, '--least', '50')).toMatchObject({ code: 0 });
    const text = JSON.stringify(asked[0]?.body);
    for (const part of [
      'Which pets are there?',
      'listPets',
      'Calls getPet',
      'Pets only.',
      'limit',
    ]) {
      expect(text).toContain(part);
    }
    expect(said.out + said.errors).not.toContain(KEY);
  });

  test('tells an argument that is another, and what is otherwise than before', async () => {
    const saying = SAYING['openai/one']!;
    model = () => ({ body: saying([{ tool: 'listPets', args: { limit: 50 } }]) });
    const file = await cases(LIST);
    const first = await asking('openai/one', file, '--out', at('before.json'));
    expect(first.out).toContain('limit is 50');
    model = () => ({ body: saying([{ tool: 'listPets', args: { limit: 5 } }]) });
    const second = await asking('openai/one', file, '--since', at('before.json'));
    expect(second).toMatchObject({ code: 0 });
    expect(second.out).toContain('+ right now: Which pets are there?');
  });

  test('looks at a version that is not published', async () => {
    model = () => ({ body: SAYING['openai/one']!([{ tool: 'findPets', args: {} }]) });
    await writeFile(at('next.json'), JSON.stringify(aDescription(['findPets'])));
    const file = await cases({ wish: 'Find pets', tool: 'findPets' });
    expect(await asking('openai/one', file, '--openapi', at('next.json'))).toMatchObject({
      code: 0,
    });
  });

  test('looks at tools as another budget would make them', async () => {
    const description = 'Finds pets by all that is known of them. '.repeat(40);
    const openapi = aDescription(['findPets'], {
      paths: { '/pets': { get: { operationId: 'findPets', description, responses: {} } } },
    });
    await writeFile(at('next.json'), JSON.stringify(openapi));
    model = () => ({ body: SAYING['openai/one']!([{ tool: 'findPets', args: {} }]) });
    const file = await cases({ wish: 'Find pets', tool: 'findPets' });
    const next = [file, '--openapi', at('next.json'), '--structured-output', 'on'];
    const size = async (...more: readonly string[]): Promise<number> => {
      asked = [];
      expect(
        await run([...next, '--model', 'openai/one', '--model-url', vendor.url, ...more]),
      ).toMatchObject({ code: 0 });
      return JSON.stringify(asked[0]?.body).length;
    };
    expect(await size('--token-budget', '100')).toBeLessThan((await size()) / 2);
  });

  test('looks at a former version', async () => {
    const saying = SAYING['openai/one']!;
    const slug = 'renewed';
    const put = (openapi: object, method: string, path: string) =>
      service.call(method, path, {
        as: owner,
        body: { openapi, ...(method === 'POST' && { slug }) },
      });
    await put(aDescription(['oldPets']), 'POST', '/deployments');
    await put(aDescription(['newPets']), 'PUT', `/deployments/${slug}/openapi`);
    model = () => ({ body: saying([{ tool: 'oldPets', args: {} }]) });
    const file = await cases({ wish: 'Find pets', tool: 'oldPets' });
    const former = await asking('openai/one', file, '--server', slug, '--version', '1');
    expect(former).toMatchObject({ code: 0 });
    expect(JSON.stringify(asked[0]!.body)).not.toContain('newPets');
    expect((await asking('openai/one', file, '--server', slug)).errors).toContain(
      'no tool oldPets',
    );
  });

  test.each(Object.keys(SAYING))(
    'in search mode %s searches and reads before it chooses, and nothing is called',
    async (name) => {
      const saying = SAYING[name]!;
      const say = (tool: string, args: object) => ({ body: saying([{ tool, args }]) });
      const CALL = { name: 'listPets', arguments: { limit: 5 } };
      model = (_, { body }) => {
        const so = JSON.stringify(body);
        if (so.includes('Good morning')) return { body: saying([], 'Hello!') };
        if (so.includes('Search on')) return say('search_operations', { query: 'pets' });
        if (!so.includes('GET /')) return say('search_operations', { query: 'pets' });
        return so.includes('inputSchema')
          ? say('call_operation', CALL)
          : say('describe_operation', { name: 'listPets' });
      };
      const file = await cases(
        LIST,
        { wish: 'Good morning', tool: null },
        { wish: 'Search on', tool: 'getPet' },
      );
      const said = await asking(name, file, '--server', 'searching');
      expect(said.out).toContain('getPet was wanted; it gave no answer: it was still searching');
      expect(said.out).toContain('2 of 3 cases right');
      expect(asked).toHaveLength(3 + 1 + 12);
      const { body } = await service.call('GET', '/deployments/searching/calls', { as: owner });
      const tools = (body.items ?? []).map((one) => (one as { readonly tool: string }).tool);
      expect(tools).not.toContain('listPets');
    },
  );

  test('in search mode it waits where the service asks for a moment', async () => {
    const saying = SAYING['openai/one']!;
    model = (_, { body }) => {
      const [tool, args] = JSON.stringify(body).includes('GET /')
        ? ['call_operation', { name: 'listPets' }]
        : ['search_operations', { query: 'pets' }];
      return { body: saying([{ tool: String(tool), args: args as object }]) };
    };
    const file = await cases({ wish: 'Which pets are there?', tool: 'listPets' });
    let searches = 0;
    const args = [file, '--server', 'searching', '--model', 'openai/one'];
    const said = await run([...args, '--model-url', vendor.url], {}, (url, request) => {
      if (!url.endsWith('/test') || (searches += 1) > 1) {
        return fetchFrom(service)(url, request);
      }
      const headers = { 'retry-after': '0', 'content-type': 'application/problem+json' };
      const problem = { status: 429, code: 'rate_limited', detail: 'Slower.' };
      return Promise.resolve(new Response(JSON.stringify(problem), { status: 429, headers }));
    });
    expect(said).toMatchObject({ code: 0 });
    expect(searches).toBe(2);
  });

  test('in search mode it ends once the server is another one than it has read', async () => {
    const saying = SAYING['openai/one']!;
    model = () => ({ body: saying([{ tool: 'search_operations', args: { query: 'pets' } }]) });
    const file = await cases({ wish: 'Which pets are there?', tool: 'listPets' });
    let searches = 0;
    const args = [file, '--server', 'searching', '--model', 'openai/one'];
    const said = await run([...args, '--model-url', vendor.url], {}, async (url, request) => {
      if (url.endsWith('/test') && (searches += 1) === 2) {
        const body = { request_headers: { 'X-Tenant': 'other' } };
        await service.call('PATCH', '/deployments/searching', { as: owner, body });
      }
      return fetchFrom(service)(url, request);
    });
    expect(said.code).toBe(1);
    expect(said.errors).toContain('The server has changed since you looked at it');
    expect(searches).toBe(2);
  });

  test('waits where the vendor asks for a moment', async () => {
    let first = true;
    model = () => {
      if (!first)
        return { body: SAYING['openai/one']!([{ tool: 'listPets', args: { limit: 5 } }]) };
      first = false;
      return { status: 429, headers: { 'retry-after': '0' }, body: {} };
    };
    expect(await asking('openai/one', await cases(LIST))).toMatchObject({ code: 0 });
  });

  test.each<[string, Answer, RegExp]>([
    [
      'refuses the key, and repeats it',
      { status: 401, body: { error: { message: `Bad key ${KEY}` } } },
      /refuses the key \(HTTP 401\): Bad key \*\*\*/,
    ],
    ['talks nonsense', { body: 'nonsense' }, /nobody can read/],
    ['answers something else', { body: { fine: true } }, /nobody can read/],
    ['does not know the model', { status: 404, body: { error: 'no such model' } }, /no such model/],
  ])('says it where the vendor %s', async (_, answer, why) => {
    model = () => answer;
    const said = await asking('openai/one', await cases(LIST));
    expect(said).toMatchObject({ code: 1 });
    expect(said.errors).toMatch(why);
    expect(said.out + said.errors).not.toContain(KEY);
  });

  test.each<[string, () => Promise<readonly string[]>, RegExp]>([
    ['no model', async () => [await cases(LIST)], /--model names a vendor/],
    [
      'another vendor',
      async () => [await cases(LIST), '--model', 'acme/x'],
      /--model names a vendor/,
    ],
    [
      'a tool that there is not',
      async () => [await cases({ wish: 'x', tool: 'nothing' }), '--model', 'openai/one'],
      /no tool nothing/,
    ],
    [
      'a case without a wish',
      async () => [await cases({ tool: 'listPets' }), '--model', 'openai/one'],
      /no wish/,
    ],
    [
      'a case without a tool',
      async () => [await cases({ wish: 'x' }), '--model', 'openai/one'],
      /no tool/,
    ],
    ['no cases', async () => [await cases(), '--model', 'openai/one'], /no cases/],
    [
      'a version that is not published, of a server in search mode',
      async () => [
        await cases(LIST),
        '--model',
        'openai/one',
        '--server',
        'searching',
        '--exclude',
        'getPet',
      ],
      /search mode/,
    ],
    [
      'a version that there is not',
      async () => [await cases(LIST), '--model', 'openai/one', '--version', '77'],
      /no such version/,
    ],
    [
      'a version that is no number',
      async () => [await cases(LIST), '--model', 'openai/one', '--version', 'old'],
      /number of a version/,
    ],
    [
      'a former version and the next one',
      async () => [
        await cases(LIST),
        '--model',
        'openai/one',
        '--version',
        '1',
        '--exclude',
        'getPet',
      ],
      /not both/,
    ],
    [
      'a percentage that is none',
      async () => [await cases(LIST), '--model', 'openai/one', '--least', 'all'],
      /percentage/,
    ],
  ])('is refused with %s, and nobody is asked', async (_, args, why) => {
    const said = await run([...(await args()), '--model-url', vendor.url]);
    expect([1, 2, 4]).toContain(said.code);
    expect(said.errors).toMatch(why);
    expect(asked).toEqual([]);
  });

  test('wants a key, and says where it goes', async () => {
    const said = await run([await cases(LIST), '--model', 'anthropic/one'], {
      ANTHROPIC_API_KEY: '',
    });
    expect(said).toMatchObject({ code: 2 });
    expect(said.errors).toContain('it goes to api.anthropic.com alone');
  });
});
