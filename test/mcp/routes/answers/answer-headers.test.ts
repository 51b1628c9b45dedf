import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { setCredential } from '../../../../layers/servers/steps/credential/credential.ts';
import { tryTool } from '../../../../layers/mcp/steps/calls/try-tool.ts';
import { type CompiledTool, toToolIndex } from '../../../../layers/openapi/tool-index.ts';
import { compiled } from '../../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../../support/openapi/intake.ts';
import { structuredTools } from '../../../support/openapi/output-validators.ts';
import { modernPost } from '../../../support/mcp/modern-requests.ts';
import { startRouter, type TestRouter } from '../../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../../support/mcp/router-events.ts';
import { anHttpServer, type TargetServer } from '../../../support/target/target-server.ts';

const SECRET = 'canary-4711-canary';
const JSON_TYPE = 'application/json';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

let router: TestRouter;
let target: TargetServer;
let answer: Answer = {};

const LIST = { type: 'array', items: { type: 'object' } };
const content = { [JSON_TYPE]: { schema: LIST } };
const header = { schema: { type: 'string' } };

const PATHS = {
  '/repos': {
    get: anOperation({
      operationId: 'list',
      responses: {
        200: {
          description: 'fine',
          headers: { 'X-Total-Count': header, 'X-Auth-Token': header, 'X-Next-Page-Token': header },
          content,
        },
        '4XX': { description: 'no', headers: { 'X-Reason': header }, content },
        default: { description: 'else', headers: { 'X-Else': header } },
      },
    }),
    head: anOperation({ operationId: 'size' }),
    post: anOperation({ operationId: 'add' }),
  },
};

beforeAll(async () => {
  router = await startRouter({ target_response_max_bytes: 100_000 });
  target = await anHttpServer((_, response) => {
    const { status = 200, headers = {}, body = '[{"id":1}]' } = answer;
    response.writeHead(status, { 'content-type': JSON_TYPE, ...headers }).end(body);
  });
  const servers = { servers: [{ url: target.url }] };
  const plain = compiled(aDescription({ openapi: '3.1.0', paths: PATHS, ...servers })).tools;
  const tools = (all: readonly CompiledTool[]) => ({ tools: toToolIndex(all).tools });
  await router.publish('plain', {}, tools(plain));
  await router.publish('typed', {}, tools(structuredTools(PATHS, servers).tools));
  await router.publish('searched', { publication: { toolMode: 'search' } }, tools(plain));
  await router.publish('small', { answerTokenBudget: 500 }, tools(plain));
  await router.publish(
    'chosen',
    { publication: { overrides: { list: { answerHeaders: ['x-powered-*', 'Server'] } } } },
    tools(plain),
  );
  await router.publish(
    'none',
    { publication: { overrides: { list: { answerHeaders: [] } } } },
    tools(plain),
  );
});
afterAll(async () => {
  await router.stop();
  await target[Symbol.asyncDispose]();
});
afterEach(() => {
  answer = {};
});

const resultOf = async (event: Parameters<TestRouter['send']>[0]) => {
  const reply = await router.send(event);
  return JSON.parse(Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8').toString());
};

const call = async (slug: string, name = 'list', version = '2025-06-18') => {
  const sent = rpc('tools/call', { name, arguments: {} });
  const headers = { 'mcp-protocol-version': version };
  return (await resultOf(post(at(slug, '/messages'), sent, headers, anAddress()))).result;
};

const lastText = ({ content: items }: { content: readonly { text: string }[] }): string =>
  items.at(-1)?.text ?? '';

const PAGED = {
  headers: { link: '</repos?page=2>; rel="next"', 'x-total-count': '1342', 'x-powered-by': 'php' },
};
const TOLD = 'Headers of the answer:\nlink: </repos?page=2>; rel="next"\nx-total-count: 1342';

describe('headers of an answer', () => {
  test('say which part it is, in UTF-8 where it was sent so, and the first of two versions', async () => {
    const inUtf8 = Buffer.from('"caf\u00e9"').toString('latin1');
    answer = {
      status: 206,
      headers: { 'content-range': 'items 0-9/200', etag: [inUtf8, '"two"'] as never },
    };

    expect(lastText(await call('plain'))).toBe(
      'Headers of the answer:\ncontent-range: items 0-9/200\netag: "caf\u00e9"',
    );
  });

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'reach the model in %s: those described for the status, and those that callers need',
    async (version) => {
      answer = PAGED;

      expect(await call('plain', 'list', version)).toEqual({
        content: [
          { type: 'text', text: '[{"id":1}]' },
          { type: 'text', text: TOLD },
        ],
      });
    },
  );

  test('reach the model in 2026-07-28', async () => {
    answer = PAGED;
    const event = modernPost(at('plain', '/messages'), 'tools/call', {
      name: 'list',
      arguments: {},
    });

    expect(lastText((await resultOf(event)).result)).toBe(TOLD);
  });

  test('reach the model with each call of a batch', async () => {
    answer = PAGED;
    const calls = [1, 2].map((id) => rpc('tools/call', { name: 'list', arguments: {} }, id));
    const headers = { 'mcp-protocol-version': '2025-03-26' };
    const replies = await resultOf(post(at('plain', '/messages'), calls, headers, anAddress()));

    expect(replies.map(({ result }: { result: never }) => lastText(result))).toEqual([TOLD, TOLD]);
  });

  test('reach the model in search mode', async () => {
    answer = PAGED;
    const params = { name: 'call_operation', arguments: { name: 'list', arguments: {} } };
    const event = post(at('searched', '/messages'), rpc('tools/call', params), {}, anAddress());

    expect(lastText((await resultOf(event)).result)).toBe(TOLD);
  });

  test('stand in the `_meta` of structured results as well, whose content is as ever', async () => {
    answer = PAGED;

    expect(await call('typed')).toEqual({
      content: [
        { type: 'text', text: '[{"id":1}]' },
        { type: 'text', text: TOLD },
      ],
      structuredContent: { result: [{ id: 1 }] },
      _meta: {
        'hosted-mcp/headers': { link: '</repos?page=2>; rel="next"', 'x-total-count': '1342' },
      },
    });
  });

  test('change nothing where there are none to tell', async () => {
    answer = { headers: { 'x-powered-by': 'php', server: 'nginx', date: 'now' } };

    expect(await call('typed')).toEqual({
      content: [{ type: 'text', text: '[{"id":1}]' }],
      structuredContent: { result: [{ id: 1 }] },
    });
  });

  test.each([
    [429, { 'retry-after': '31' }, '{"title":"wait"}', 'retry-after: 31'],
    [503, { 'retry-after': '120' }, '', 'retry-after: 120'],
    [418, { 'x-reason': 'teapot' }, '{}', 'x-reason: teapot'],
    [503, { 'x-else': 'described for the rest' }, '{}', 'x-else: described for the rest'],
    [202, { 'operation-location': '/jobs/7' }, '', 'operation-location: /jobs/7'],
    [200, { etag: '"v7"', 'last-modified': 'then' }, '[]', 'etag: "v7"\nlast-modified: then'],
    [200, { 'ratelimit-remaining': '3' }, '[]', 'ratelimit-remaining: 3'],
    [200, { 'x-ratelimit-reset': '9' }, '[]', 'x-ratelimit-reset: 9'],
    [200, { 'x-ratelimit-remaining-tokens': '9' }, '[]', 'x-ratelimit-remaining-tokens: 9'],
    [200, { 'x-total-pages': '3', 'x-next-page': '2' }, '[]', 'x-total-pages: 3\nx-next-page: 2'],
    [500, { 'x-total-count': '4' }, '{}', 'x-total-count: 4'],
    [200, { deprecation: '@1', sunset: 'soon' }, '[]', 'deprecation: @1\nsunset: soon'],
    [200, { 'x-next-page-token': 'abc' }, '[]', 'x-next-page-token: abc'],
  ])('of %d tell %j', async (status, headers, body, told) => {
    answer = { status, headers, body };
    const result = await call('plain');

    expect(lastText(result)).toBe(`Headers of the answer:\n${told}`);
    expect(result.isError ?? false).toBe(status >= 400);
  });

  test('are told of a status that describes others, where callers need them in any case', async () => {
    answer = { status: 500, headers: { 'x-reason': 'r' }, body: '{}' };

    expect((await call('plain')).content).toHaveLength(1);
  });

  test('never hold cookies, challenges and tokens, described or not', async () => {
    const headers = {
      'set-cookie': ['sid=s3cret', 'other=s3cret'],
      'www-authenticate': 'Digest nonce="s3cret"',
      'authentication-info': 's3cret',
      'x-auth-token': 's3cret',
      etag: '"v7"',
    };
    for (const [slug, status] of [
      ['plain', 200],
      ['typed', 200],
      ['plain', 401],
    ] as const) {
      answer = { status, headers };
      const result = await call(slug);

      expect(JSON.stringify(result)).not.toContain('s3cret');
      const texts = result.content.map(({ text }: { text: string }) => text);
      expect(texts).toContain('Headers of the answer:\netag: "v7"');
    }
    answer = { headers };
    expect(JSON.stringify(await call('plain', 'size'))).not.toContain('s3cret');
  });

  test('have the credential masked that the API repeats in them', async () => {
    const deployment = await router.publish(
      'masked',
      {},
      { tools: toToolIndex(described()).tools },
    );
    const { ownerId } = deployment;
    const credential = { type: 'bearer', token: SECRET } as const;
    const origins = [target.url];
    await setCredential(router.owner, { ownerId, slug: 'masked', credential, origins });
    answer = { headers: { link: `</repos?key=${SECRET}>; rel="next"`, [`x-total-count`]: SECRET } };
    const result = await call('masked');

    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(lastText(result)).toContain('link: </repos?key=[masked]>; rel="next"');
  });

  test('take 2 KB at most, whole ones alone, and say that there are more', async () => {
    answer = { headers: { link: 'x'.repeat(3000), 'x-total-count': '5', etag: '"é"' } };
    const text = lastText(await call('plain'));

    expect(text).toBe(
      'Headers of the answer:\nx-total-count: 5\netag: "é"\n[1 more, which take more room than headers have here.]',
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  });

  test('count in the budget of the answer', async () => {
    const body = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, text: 'a word' })));
    answer = { body };
    const without = await call('small');
    answer = { body, headers: { link: 'some words for a list of pages '.repeat(25) } };
    const result = await call('small');
    const shown = (one: { content: readonly { text: string }[] }) =>
      JSON.parse(one.content[0]?.text ?? '').length as number;

    expect(shown(result)).toBeLessThan(shown(without));
    expect(result.content[1].text).toContain('are shown');
    expect(result.content[2].text).toContain('link: some words');
  });

  test('stand behind what is cut and kept, before the links to its parts', async () => {
    answer = { ...PAGED, body: `"${'x'.repeat(150_000)}"` };
    const { content: items } = await call('plain', 'list', '2025-11-25');
    const types = items.map(({ type }: { type: string }) => type);

    expect(items[types.lastIndexOf('text')].text).toBe(TOLD);
    expect(types.at(-1)).toBe('resource_link');
  });

  test('name a place once, where the answer has no body', async () => {
    answer = { status: 201, headers: { location: '/repos/7', etag: '"1"' }, body: '' };

    expect((await call('plain', 'add')).content.map(({ text }: { text: string }) => text)).toEqual([
      'HTTP 201 Created: the target API answered without a body. Its Location header is /repos/7',
      'Headers of the answer:\netag: "1"',
    ]);
  });

  test('are all of the answer to HEAD, as ever', async () => {
    answer = { headers: { etag: '"1"', 'x-powered-by': 'php' }, body: '' };
    const { content: items } = await call('plain', 'size');

    expect(items).toHaveLength(1);
    expect(items[0].text).toContain('etag: "1"\nx-powered-by: php');
  });

  test('are those that the owner chose, or none', async () => {
    answer = { headers: { ...PAGED.headers, server: 'nginx', 'x-auth-token': 's3cret' } };

    expect(lastText(await call('chosen'))).toBe(
      'Headers of the answer:\nx-powered-by: php\nserver: nginx',
    );
    expect((await call('none')).content).toEqual([{ type: 'text', text: '[{"id":1}]' }]);
  });

  test('are in a trial', async () => {
    answer = PAGED;
    const { id, slug, ownerId, version } = await router.publish(
      'tried',
      {},
      { tools: toToolIndex(described()).tools },
    );
    const trial = await tryTool(
      { ...router.ports, log: { write: () => undefined } },
      {
        deployment: { id, slug, ownerId, version },
        tool: 'list',
        arguments: {},
        sender: { ip: '192.0.2.1', requestId: 'trial' },
      },
    );

    expect(lastText(trial.result as never)).toBe(TOLD);
    expect(trial.answer?.headers).toMatchObject({ 'x-total-count': '1342' });
  });
});

const described = () =>
  compiled(aDescription({ openapi: '3.1.0', paths: PATHS, servers: [{ url: target.url }] })).tools;

describe('headers that a description declares', () => {
  const headersOf = (description: Parameters<typeof compiled>[0]) =>
    compiled(description).tools[0]?.operation.answers;

  test('are read from Swagger 2.0', () => {
    const description = {
      swagger: '2.0',
      info: { title: 'Pets', version: '1' },
      host: 'api.example.com',
      paths: {
        '/pets': {
          get: {
            responses: { 200: { description: '', headers: { 'X-Total': { type: 'integer' } } } },
          },
        },
      },
    };

    expect(headersOf(description)).toEqual({ 200: { headers: ['x-total'] } });
  });

  test.each(['3.0.3', '3.1.0', '3.2.0'])('are read by references in %s', (openapi) => {
    const description = aDescription({
      openapi,
      servers: [{ url: 'https://api.example.com' }],
      paths: {
        '/pets': { get: { responses: { '2xx': { $ref: '#/components/responses/Page' } } } },
      },
      components: {
        headers: { Total: header },
        responses: {
          Page: {
            description: '',
            headers: {
              'X-Total': { $ref: '#/components/headers/Total' },
              'Content-Type': header,
              'no name': header,
            },
          },
        },
      },
    });

    expect(headersOf(description)).toEqual({ '2XX': { headers: ['x-total'] } });
  });
});
