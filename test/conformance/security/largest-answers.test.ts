import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CallRecord } from '../../../layers/events/rules/call-record.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { type Recording } from '../../../layers/deployments/rules/recording.ts';
import { fittedContent } from '../../../layers/activity/rules/recorded-content.ts';
import { dynamoRecordedCallStore } from '../../../layers/activity/store/recorded-calls.ts';
import { callSealer } from '../../../layers/activity/store/sealed-call.ts';
import { dynamoDeployments } from '../../../layers/deployments/store/deployments.ts';
import { connectionOf } from '../../support/aws/aws.ts';
import { type SignedIn, signedIn } from '../../support/service/signed-in.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

let service: WholeService;
let api: TargetServer;
let send: SignedIn['send'];
beforeAll(async () => {
  service = await startWholeService({ active_deployments_per_user: 100 });
  api = await anHttpServer((_, response) => {
    response.setHeader('content-type', 'text/plain');
    response.end('"'.repeat(2_000_000));
  });
  ({ send } = await signedIn(service));
  await makeTheLargest();
});
afterAll(async () => {
  await service.stop();
  await api[Symbol.asyncDispose]();
});

type Json = Readonly<Record<string, unknown>>;

const named = <Value>(count: number, entry: (at: number) => readonly [string, Value]) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => entry(at)));
const listed = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at));

const described = (paths: object, schemas: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Large', version: '1' },
  servers: [{ url: api.url }],
  paths,
  components: { schemas },
});
/** With a property of each type, so that a version differs from another in every tool. */
const manyTools = (type: string) =>
  described(
    named(4900, (at) => [
      `/${'a'.repeat(700)}${at}`,
      { post: { requestBody: { content: { 'application/json': { schema: REF } } } } },
    ]),
    {
      Body: {
        type: 'object',
        properties: named(6, (at) => [
          `${'property'.repeat(6)}${at}`,
          { type, description: '"quoted"'.repeat(4) },
        ]),
      },
    },
  );
const REF = { $ref: '#/components/schemas/Body' };
/** One tool whose schema alone is as long as a description may be, every second character escaped. */
const oneTool = () =>
  described({
    '/large': {
      post: {
        operationId: 'large',
        parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: named(30_000, (at) => [
                  `p${at}`,
                  { type: 'string', enum: ['"'.repeat(40), `${at}`] },
                ]),
              },
            },
          },
        },
      },
    },
  });

const CJK = '長';
const LONG = CJK.repeat(2000);

/** Everything that an owner may store, as large as it may be. */
const makeTheLargest = async (): Promise<void> => {
  const made = [
    await send('POST', '/deployments', {
      openapi: manyTools('string'),
      slug: 'many',
      tool_mode: 'search',
      tool_token_budget: null,
    }),
    await send('POST', '/deployments', {
      openapi: oneTool(),
      slug: 'one',
      tool_token_budget: null,
      mcp_auth_method: 'jwt',
      structured_output: 'on',
    }),
    ...(await Promise.all(
      listed(20, (at) =>
        send('POST', '/deployments', {
          openapi: described({ '/a': { get: {} } }),
          slug: `settings-${at}`,
          ...largestSettings(),
        }),
      ),
    )),
    await send('PUT', '/deployments/one/jwt-issuer', {
      issuer: `https://issuer.example.com/${'i'.repeat(2000)}`,
      jwks_uri: `https://issuer.example.com/${'i'.repeat(2000)}`,
      audience: CJK.repeat(2048),
      algorithms: ['RS256'],
    }),
    await send('PUT', '/deployments/one/credential', { type: 'bearer', token: 't' }),
    ...(await Promise.all(listed(100, aPrompt))),
    ...(await Promise.all(listed(100, aResource))),
  ];
  expect(refusedOf(made)).toEqual([]);
  await recordTheLargest();
};

const RECORDED = 150;
const FIRST_ID = 'first';

/** As the function of the log stores them: of quotes and controls, which JSON writes in two characters and six. */
const recordTheLargest = async (): Promise<void> => {
  const { body } = await send('PUT', '/deployments/one/recording', { days: 1 });
  expect(body).toMatchObject({ on: true });
  const client = new DynamoDBClient(connectionOf(service.aws, 'test'));
  const dynamo = DynamoDBDocumentClient.from(client);
  const deployment = await dynamoDeployments(dynamo, 'hosted-mcp-deployments', {
    now: () => 0,
    elapsedMs: () => 0,
  }).find('one');
  const { id: deploymentId = '', recording } = deployment ?? {};
  const { since: at, until, publicKey } = recording as Recording;
  const seal = callSealer();
  const calls = listed(RECORDED, (index) => {
    const call: CallRecord = {
      at,
      index,
      deploymentId,
      requestId: FIRST_ID,
      version: 1,
      tool: 'large',
      outcome: 'ok',
      durationMs: 1,
      subject: 'user-1',
      ip: '192.0.2.1',
    };
    const content = fittedContent({
      arguments: { text: '"'.repeat(8000) },
      answer: (index % 2 ? '"' : '\u0001').repeat(40_000),
    });
    const sealed = seal(publicKey, { call, ...content });
    return { ...call, until, person: fingerprint('user-1'), sealed };
  });
  await dynamoRecordedCallStore(dynamo, 'hosted-mcp-recorded-calls').store(calls);
  recordedId = `${at}.0.${Buffer.from(FIRST_ID).toString('base64url')}`;
  client.destroy();
};

let recordedId = '';

const refusedOf = (answers: readonly Awaited<ReturnType<SignedIn['send']>>[]) =>
  answers.filter(({ status }) => status >= 300).map(({ status, body }) => [status, body]);

const largestSettings = () => ({
  name: CJK.repeat(200),
  instructions: LONG,
  description: CJK.repeat(500),
  website_url: `https://example.com/${'w'.repeat(2000)}`,
  operations: { include: listed(900, (at) => `GET /*${'*'.repeat(100 + (at % 10))}`), exclude: [] },
  server_variables: named(15, (at) => [`v${at}`, 'v'.repeat(2040)]),
  overrides: named(50, (at) => [`unknown${at}`, { description: CJK.repeat(400) }]),
  allowed_origins: listed(
    100,
    (at) => `https://${'o'.repeat(50)}.${'o'.repeat(50)}.example${at}.com`,
  ),
});

/**
 * Of a hundred, which is as many as there may be, the last 12 are as large as they may be: two fill a page of
 * the export, and whoever adds one reads all, so that more would show the same in many times the time.
 */
const isLarge = (at: number): boolean => at >= 88;
const aPrompt = (at: number) =>
  send('POST', '/deployments/one/prompts', {
    name: `prompt-${at}`,
    title: CJK.repeat(200),
    description: LONG,
    template: '{{a0}}'.repeat(20),
    arguments: listed(isLarge(at) ? 50 : 1, (one) => ({
      name: `a${one}`,
      title: CJK.repeat(200),
      description: CJK.repeat(1900),
    })),
  });
const aResource = (at: number) =>
  send('POST', '/deployments/one/resources', {
    name: `resource-${at}`,
    uri: `docs://${at}/${'u'.repeat(2000)}`,
    title: CJK.repeat(200),
    description: LONG,
    content: '\u0001'.repeat(isLarge(at) ? 40_000 : 400),
  });

/** All items of a list, page after page, each of which must come. */
const walked = async (path: string, limit = 'limit=100'): Promise<readonly Json[]> => {
  const items: Json[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await send('GET', `${path}?${limit}${cursor}`);
    expect([path, status]).toEqual([path, 200]);
    items.push(...((body['items'] ?? []) as Json[]));
    if (body['next_cursor'] === undefined) return items;
    cursor = `&cursor=${String(body['next_cursor'])}`;
  }
};

describe('the largest that an owner may store', () => {
  test('is answered by every route that reads, each item of a list once', async () => {
    const { body } = await send('GET', '/openapi.json');
    const paths = body['paths'] as Readonly<Record<string, Readonly<Record<string, Json>>>>;
    const counts: Record<string, number> = {};
    for (const [path, { get }] of Object.entries(paths)) {
      // What mails link to, and the browser's own, belong to another function; the export comes last.
      if (!get || /^\/(console|accounts)|^\/account\/export$/.test(path)) continue;
      for (const slug of path.includes('{slug}') ? ['one', 'many', 'settings-1'] : ['']) {
        const filled = path
          .replace('{slug}', slug)
          .replace('{version}', '1')
          .replace('{name}', nameIn(path))
          .replace('{id}', slug === 'one' ? recordedId : 'none')
          .concat(path.endsWith('/difference') ? '?from=1' : '');
        const isPaged = JSON.stringify(get['parameters'] ?? []).includes('"cursor"');
        if (isPaged) counts[filled] = (await walked(filled)).length;
        else
          expect([filled, (await send('GET', filled)).status]).toEqual([filled, statusOf(filled)]);
      }
    }

    expect(counts).toMatchObject({
      '/deployments': 22,
      '/deployments/many/tools': 4900,
      '/deployments/one/tools': 1,
      '/deployments/one/prompts': 100,
      '/deployments/one/resources': 100,
      '/deployments/one/recorded-calls': RECORDED,
    });
  });

  test('is told of a difference, what breaks clients first, and how many more tools differ', async () => {
    const { status, body } = await send('PUT', '/deployments/many/openapi', {
      openapi: manyTools('integer'),
    });
    const tools = body['tools'] as { changed: Json[]; changed_left_out: number };

    expect(status).toBe(200);
    expect(tools.changed.length).toBeGreaterThan(100);
    expect(tools.changed.length + tools.changed_left_out).toBe(4900);
    const { status: back, body: was } = await send('POST', '/deployments/many/rollback', {
      version: 1,
    });
    expect(back).toBe(200);
    expect(was['tools']).toMatchObject({ changed_left_out: expect.any(Number) });
  });

  test('is told before publication as far as it fits, and how much is left out', async () => {
    const { status, body, length } = await send('POST', '/descriptions', {
      openapi: manyTools('string'),
      tool_mode: 'search',
    });
    const { operations, operations_left_out, tools, tools_left_out, totals } = body as {
      operations: Json[];
      operations_left_out: number;
      tools: Json[];
      tools_left_out: number;
      totals: Json;
    };

    expect(status).toBe(200);
    expect(length).toBeLessThan(6_000_000);
    expect(operations.length).toBeGreaterThan(1000);
    expect(operations.length + operations_left_out).toBe(4900);
    expect(tools.length).toBeGreaterThan(500);
    expect(tools.length + tools_left_out).toBe(4900);
    expect(totals).toMatchObject({ tools: 4900 });
  });

  test('is made once under a key, though its answer is too large to be kept', async () => {
    const sent = {
      openapi: described({ '/a': { get: {} } }),
      slug: 'settings-with-key',
      ...largestSettings(),
    };
    const once = () => send('POST', '/deployments', sent, { 'idempotency-key': 'the-same-key' });

    expect((await once()).status).toBe(201);
    expect([201, 409]).toContain((await once()).status);
  });

  test('is tried with long arguments and a long answer', async () => {
    const { status } = await send('POST', '/deployments/one/tools/large/test', {
      arguments: { q: '"'.repeat(200_000) },
    });

    expect(status).toBe(200);
  });

  test('is exported, each thing once, also where a list is longer than an answer', async () => {
    const paths = (await walked('/account/export', '')).map(({ path }) => path);
    const contents = ['prompt', 'resource'].flatMap((kind) =>
      listed(100, (at) => `/deployments/one/${kind}s/${kind}-${at}`),
    );
    const descriptions = ['one/versions/1', 'many/versions/1', 'many/versions/2'].map(
      (version) => `/deployments/${version}/openapi`,
    );
    const settings = listed(20, (at) => `/deployments/settings-${at}`);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toEqual(expect.arrayContaining([...contents, ...descriptions, ...settings]));
  });
});

const nameIn = (path: string): string => {
  if (path.includes('credentials')) return 'main';
  return path.includes('prompts') ? 'prompt-99' : 'resource-99';
};

/** Of what only deployments of a certain kind have. */
const statusOf = (path: string): number =>
  /\/(many|settings-1)\/(credential$|credentials\/|jwt-issuer|prompts\/|resources\/|recorded-calls\/)/.test(
    path,
  )
    ? 404
    : 200;
