import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/mcp/routes/server.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import {
  type CompiledTool,
  type IndexedTool,
  toToolIndex,
} from '../../../layers/openapi/tool-index.ts';
import type { RouterPorts } from '../../../layers/mcp/steps/ports.ts';
import { tryTool } from '../../../layers/mcp/steps/calls/try-tool.ts';
import { anOperation, readText } from '../../support/openapi/intake.ts';
import { CLIENTS } from '../../support/mcp/mcp-clients.ts';
import { MODERN, modernPost } from '../../support/mcp/modern-requests.ts';
import { officialVerdicts, structuredTools } from '../../support/openapi/output-validators.ts';
import { hasRealDescriptions, REAL_DESCRIPTIONS } from '../../support/service/publisher.ts';
import { anAddress, at, post, rpc, type SentHeaders } from '../../support/mcp/router-events.ts';
import { routerFetch } from '../../support/mcp/router-fetch.ts';
import { BASE_URL, startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { allArguments } from '../../support/openapi/sample-arguments.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = 'application/json';
const PET = { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } };

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

type Answer = readonly [status: number, type: string, body: string | Buffer];

const long = (bytes: number) =>
  JSON.stringify({ name: 'Rex "the dog"\n'.repeat(Math.ceil(bytes / 17)) });
/** More than this is cut, but for what is there to be sent twice. */
const SHOWN_BYTES = 100_000;

/** What the target answers, by the operation that is called. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  fits: [200, JSON_TYPE, '{ "name": "Rex",\r\n  "age": 3, "id": 12345678901234567890 }'],
  wrong: [200, JSON_TYPE, '{"name":7}'],
  list: [200, JSON_TYPE, '[{"name":"Rex"}]'],
  labelled: [200, 'text/plain', '\ufeff{"name":"Rex"}'],
  html: [200, 'text/html', 'Rex'],
  nothing: [204, JSON_TYPE, ''],
  missing: [404, JSON_TYPE, '{"name":"not there"}'],
  picture: [200, 'image/png', PNG],
  bigPicture: [200, 'image/png', Buffer.concat([PNG, Buffer.alloc(2 * SHOWN_BYTES)])],
  cut: [200, JSON_TYPE, long(2 * SHOWN_BYTES)],
  twice: [200, JSON_TYPE, long(2.5 * MIB)],
};

let router: TestRouter;
let target: TargetServer;
/** The same with less room for an answer. */
let small: RouterPorts;
let sendSmall: TestRouter['send'];

/** A tool for each answer, as they are with and without structured output. */
let structured: readonly IndexedTool[];

beforeAll(async () => {
  router = await startRouter();
  const { settings } = router.ports;
  const limits = { ...settings.limits, target_response_max_bytes: SHOWN_BYTES };
  small = { ...router.ports, settings: { ...settings, limits } };
  sendSmall = server(small);
  target = await anHttpServer(({ url = '' }, response) => {
    const [status, type, body] = answerAt(url.slice(1));
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  const paths = Object.fromEntries(
    Object.keys(ANSWERS).map((name) => {
      const schema = name === 'list' ? { type: 'array', items: PET } : PET;
      const responses = { 200: { description: '', content: { [JSON_TYPE]: { schema } } } };
      return [`/${name}`, { get: anOperation({ operationId: name, responses }) }];
    }),
  );
  const { tools } = structuredTools(paths, { servers: [{ url: target.url }] });
  structured = toToolIndex(tools).tools;
  const plain = structured.map((tool): IndexedTool => {
    const { output: _, ...others } = tool;
    return others;
  });
  await router.publish('plain', { answerTokenBudget: null }, { tools: plain });
  await router.publish('typed', { answerTokenBudget: null }, { tools: structured });
  await router.publish(
    'searched',
    { answerTokenBudget: null, publication: { toolMode: 'search' } },
    { tools: structured },
  );
});
afterAll(async () => {
  await router.stop();
  await target[Symbol.asyncDispose]();
});

let answerOf: (path: string) => Answer | undefined = () => undefined;
const answerAt = (path: string): Answer =>
  answerOf(path) ?? ANSWERS[path] ?? [404, 'text/plain', ''];

interface Asker {
  readonly slug?: string;
  /** Null: there is no header. */
  readonly version?: string | null;
  readonly address?: string;
  readonly send?: TestRouter['send'];
}

const ask = async (
  method: string,
  params: object,
  { slug = 'typed', version = '2025-06-18', address = anAddress(), send = sendSmall }: Asker = {},
) => {
  const path = at(slug, '/messages');
  const headers: SentHeaders = version === null ? {} : { 'mcp-protocol-version': version };
  const event =
    version === MODERN
      ? modernPost(path, method, { ...params }, {}, address)
      : post(path, rpc(method, params), headers, address);
  const reply = await send(event);
  expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(6 * MIB);
  const text = Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8').toString();
  return { text, ...JSON.parse(text) };
};
const call = async (name: string, asker?: Asker) => {
  const { result, text } = await ask('tools/call', { name }, asker);
  return { ...result, text };
};
const outputSchemas = async (asker?: Asker) => {
  const { result } = await ask('tools/list', {}, asker);
  return new Map<string, JsonObject>(
    result.tools.flatMap(({ name, outputSchema }: { name: string; outputSchema?: JsonObject }) =>
      outputSchema ? [[name, outputSchema]] : [],
    ),
  );
};

const KNOWING = ['2025-06-18', '2025-11-25', MODERN];

describe('a tool with structured output', () => {
  test.each(KNOWING)('has an output schema in %s, the same as in the others', async (version) => {
    const schemas = await outputSchemas({ version });
    expect([...schemas.keys()]).toEqual(Object.keys(ANSWERS));
    expect(schemas).toEqual(await outputSchemas());
  });

  test.each([null, '2024-11-05', '2025-03-26'])(
    'is what it would be without for a client that names the version %s',
    async (version) => {
      const bodies = async (slug: string) => {
        const address = anAddress();
        const asker = { slug, version, address };
        const list = await ask('tools/list', {}, asker);
        const results = [];
        for (const name of ['fits', 'wrong', 'list', 'nothing', 'missing']) {
          results.push((await call(name, asker)).text);
        }
        return [list.text, ...results];
      };
      expect(await bodies('typed')).toEqual(await bodies('plain'));
    },
  );

  test('is listed with nothing changed but its output schema', async () => {
    const { result: on } = await ask('tools/list', {});
    const { result: off } = await ask('tools/list', {}, { slug: 'plain' });
    const plain = on.tools.map((tool: JsonObject) => ({ ...tool, outputSchema: undefined }));
    expect(JSON.stringify(plain)).toBe(JSON.stringify(off.tools));
  });

  test.each(Object.keys(ANSWERS).filter((name) => name !== 'twice'))(
    'answers with the content that it would have without, and with structured content that fits: %s',
    async (name) => {
      const schema = (await outputSchemas()).get(name) ?? {};
      for (const version of ['2025-11-25', MODERN]) {
        const { content, structuredContent, isError } = await call(name, { version });
        const off = await call(name, { version, slug: 'plain' });
        // Kept parts have random names.
        const named = (value: unknown) => JSON.stringify(value).replaceAll(/[0-9a-f]{64}/g, 'id');

        expect(named(content)).toBe(named(off.content));
        expect(isError).toBe(off.isError);
        expect(off).not.toHaveProperty('structuredContent');
        if (isError) expect(structuredContent).toBeUndefined();
        else {
          const verdicts = officialVerdicts(schema).map((fits) => fits(structuredContent));
          expect(verdicts).toEqual([true, true]);
        }
      }
    },
  );

  test('has each digit and each member of the answer in its structured content', async () => {
    const { text } = await call('fits');
    expect(text).toContain(
      '"structuredContent":{"name":"Rex","age":3,"id":12345678901234567890}}}',
    );
  });

  test('answers in one event where the client wants a stream', async () => {
    const headers = { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    const sent = post(at('typed', '/messages'), rpc('tools/call', { name: 'fits' }), headers);
    const { body } = await router.send(sent);
    const [event, data, ...end] = body.split('\n');

    expect([event, end]).toEqual(['event: message', ['', '']]);
    expect(JSON.parse(data?.slice('data: '.length) ?? '').result.structuredContent.name).toBe(
      'Rex',
    );
  });
});

describe('the structured content of an answer', () => {
  const structuredOf = async (name: string, asker?: Asker) =>
    (await call(name, asker)).structuredContent;

  test.each([
    ['labelled', { name: 'Rex' }],
    ['list', { result: [{ name: 'Rex' }] }],
    [
      'wrong',
      { _note: expect.stringContaining('does not have the described form'), _answer: { name: 7 } },
    ],
    ['html', { _note: expect.stringContaining('is no JSON'), _answer: 'Rex' }],
    ['nothing', { _note: 'HTTP 204 No Content: the target API answered without a body.' }],
    ['picture', { _note: "The answer's body is image/png." }],
    ['missing', undefined],
  ])('%s', async (name, expected) => {
    expect(await structuredOf(name)).toEqual(expected);
  });

  const notesAndParts = async (name: string, asker: Asker) => {
    const { content, structuredContent } = await call(name, asker);
    const text: string = content[0].text;
    const links = content.slice(1).map(({ uri }: { uri: string }) => uri);
    const { _note: note, _parts: parts, ...others } = structuredContent;
    expect(others).toEqual({});
    return { text, links, note, parts };
  };
  const readAll = async (uris: readonly string[], asker: Asker) => {
    let whole = '';
    for (const uri of uris) {
      whole += (await ask('resources/read', { uri }, asker)).result.contents[0].text;
    }
    return whole;
  };

  test('says of one that is cut what the text says, and where the rest is', async () => {
    const asker = { address: anAddress() };
    const { text, links, note, parts } = await notesAndParts('cut', asker);

    expect(text.endsWith(`\n\n${note}`)).toBe(true);
    expect(parts).toEqual(links);
    expect(parts.length).toBeGreaterThan(0);
    const shown = text.slice(0, -note.length - 2);
    expect(shown + (await readAll(parts, asker))).toBe(ANSWERS['cut']?.[2]);
  });

  test('says so of a stored file as well', async () => {
    const { text, links, note, parts } = await notesAndParts('bigPicture', {});
    expect([text, links]).toEqual([note, parts]);
  });

  test('keeps all of one that is too long to be in one result twice, whose text stays whole', async () => {
    const asker = { address: anAddress(), send: router.send };
    const { text, links, note, parts } = await notesAndParts('twice', asker);

    expect(text).toBe(ANSWERS['twice']?.[2]);
    expect(links).toEqual([]);
    expect(note).toContain('too long to be in one result twice');
    expect(note).toContain(parts[0]);
    expect(await readAll(parts, asker)).toBe(ANSWERS['twice']?.[2]);
  });

  test('has no parts where nothing can be stored', async () => {
    const trial = async (ports: RouterPorts, tool: string) => {
      const { result } = await tryTool(ports, {
        deployment: {
          id: 'dep-typed',
          slug: 'typed',
          ownerId: 'ada',
          version: 1,
          answerTokenBudget: null,
        },
        tool,
        arguments: {},
        sender: SENDER,
      });
      return (result as { structuredContent: object }).structuredContent;
    };

    expect(await trial(small, 'cut')).toEqual({
      _note: expect.stringContaining('missing'),
      _parts: [],
    });
    expect(await trial(router.ports, 'twice')).toEqual({
      _note: 'The answer is too long to be in one result twice. It is in the content, as text.',
      _parts: [],
    });
  });
  const SENDER = { ip: '192.0.2.1', userAgent: undefined, requestId: 'request-1' };
});

describe('a deployment with searchable operations', () => {
  const operate = (name: string, asker: Asker = {}) =>
    ask(
      'tools/call',
      { name: 'call_operation', arguments: { name } },
      { slug: 'searched', ...asker },
    );
  const describeIt = async (name: string, version: string) => {
    const params = { name: 'describe_operation', arguments: { name } };
    const { result } = await ask('tools/call', params, { slug: 'searched', version });
    return JSON.parse(result.content[0].text);
  };

  test('has no output schema of its own', async () => {
    expect((await outputSchemas({ slug: 'searched' })).size).toBe(0);
  });

  test('describes the schema of an operation, and answers with what fits it', async () => {
    const { outputSchema } = await describeIt('fits', '2025-06-18');
    expect(outputSchema).toEqual((await outputSchemas()).get('fits'));
    const { result } = await operate('fits');
    expect(result.structuredContent.name).toBe('Rex');
    expect(result.content).toEqual((await call('fits', { slug: 'plain' })).content);
  });

  test('says nothing of it to clients that do not know it', async () => {
    expect(await describeIt('fits', '2025-03-26')).not.toHaveProperty('outputSchema');
    expect((await operate('fits', { version: '2025-03-26' })).result).not.toHaveProperty(
      'structuredContent',
    );
  });
});

/** Tools of real descriptions, some of each, that all go to the target under a number of their own. */
const realTools = (): readonly CompiledTool[] =>
  readdirSync(REAL_DESCRIPTIONS)
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    // All of them are compiled elsewhere.
    .filter((_, index) => index % 3 === 0)
    .flatMap((file) => {
      const description = readText(readFileSync(new URL(file, REAL_DESCRIPTIONS)));
      const operations = description.operations.filter((_, index) => index % 7 === 0).slice(0, 12);
      return compileTools(description, operations, { hasOutput: () => true, tokenBudget: 4000 })
        .tools;
    })
    .filter(({ output }) => output !== undefined)
    .map((tool, index) => {
      const name = `tool${index}`;
      const operation = { ...tool.operation, serverUrl: `${target.url}/real/${index}` };
      return { ...tool, name, listed: { ...tool.listed, name }, operation };
    });

(hasRealDescriptions ? describe : describe.skip)('tools of real descriptions', () => {
  let tools: readonly CompiledTool[];
  let asked = 0;

  /** Whatever an API may answer: what is described, something else, or nothing. */
  const answers = (index: number): readonly Answer[] => {
    const { properties } = JSON.parse(tools[index]?.output?.schema ?? '{}');
    const { _note, _answer, _parts, result, ...members } = properties;
    const schema = result ?? { type: 'object', properties: members };
    const { value } = allArguments({ type: 'object', properties: { value: schema } }) as JsonObject;
    const name = Object.keys(members)[0] ?? 'name';
    return [
      [200, JSON_TYPE, JSON.stringify(value)],
      [200, JSON_TYPE, JSON.stringify({ [name]: [[1]], _note: 1 })],
      [201, JSON_TYPE, '[null, 1, "a", {}]'],
      [200, JSON_TYPE, 'null'],
      [200, 'text/html', 'soon'],
      [204, JSON_TYPE, ''],
      [400, JSON_TYPE, '{"error":"wrong"}'],
    ];
  };

  beforeAll(async () => {
    tools = realTools();
    await router.publish('real', {}, { tools: toToolIndex(tools).tools });
    answerOf = (path) => {
      const index = Number(/^real\/(\d+)\//.exec(path)?.[1] ?? Number.NaN);
      if (!(index >= 0)) return undefined;
      asked += 1;
      const some = answers(index);
      return some[asked % some.length];
    };
  });

  test.each(CLIENTS)('are listed and called by %s without a complaint', async (_, connect) => {
    const client = await connect(`${BASE_URL}/mcp-router/real/messages`, {
      fetch: routerFetch(router.send),
    });
    const listed = (await client.listTools()).tools;
    expect(listed).toHaveLength(tools.length);
    expect(listed.length).toBeGreaterThan(40);
    let structuredResults = 0;
    for (const { name, inputSchema } of listed.filter((_, index) => index % 4 === 0)) {
      const result = await client.callTool({ name, arguments: allArguments(inputSchema) });
      if ('structuredContent' in result) structuredResults += 1;
      else expect(result.isError).toBe(true);
    }
    await client.close();
    expect(structuredResults).toBeGreaterThan(10);
  });
});
