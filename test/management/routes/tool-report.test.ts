import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type ApiCall,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';

let service: TestManagement;
let owner: Owner;
beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 100 } });
  owner = await service.owner();
});
afterAll(() => service.stop());

const call = (method: string, path: string, more: ApiCall = {}) =>
  service.call(method, path, { as: owner, ...more });

const WORDS = 'Word after word after word. '.repeat(12).trim();

/** `POST /pets` with a body that is this. */
const posting = (schema: object, more: object = {}, members: object = {}) =>
  aDescription([], {
    paths: {
      '/pets': {
        post: {
          operationId: 'addPet',
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { 200: { description: 'ok' } },
          ...more,
        },
      },
    },
    ...members,
  });

const LARGE = posting({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 80 }, (_, at) => [`p${at}`, { type: 'string', description: WORDS }]),
  ),
});

const published = async (openapi: object, fields: object = {}) => {
  const { body } = await call('POST', '/deployments', { body: { openapi, ...fields } });
  return { slug: String(body['slug']), warnings: body['warnings'] as readonly Warning[], body };
};

interface Warning {
  readonly where: string;
  readonly what: string;
}

interface ReportedTool {
  readonly tokens: number;
  readonly accepted_by: readonly string[];
  readonly refused_by: readonly object[];
  readonly notes: readonly { readonly what: string; readonly arguments?: readonly string[] }[];
}

const toolOf = async (slug: string): Promise<ReportedTool> => {
  const { body } = await call('GET', `/deployments/${slug}/tools`);
  return body.items?.[0] as unknown as ReportedTool;
};

const notesOf = async (openapi: object, fields: object = {}) => {
  const { slug } = await published(openapi, fields);
  return (await toolOf(slug)).notes.map(({ what, arguments: named }) =>
    named ? `${named.join(', ')}: ${what}` : what,
  );
};

describe('the field tool_token_budget', () => {
  test('defaults to 4,000 tokens', async () => {
    const { slug, body, warnings } = await published(LARGE);

    expect(body['tool_token_budget']).toBe(4000);
    expect((await toolOf(slug)).tokens).toBeLessThanOrEqual(4000);
    expect(warnings).toEqual([
      expect.objectContaining({
        where: '/paths/~1pets/post',
        what: expect.stringMatching(/^addPet is shortened from more than 4000 tokens to about \d+/),
      }),
    ]);
  });

  test('limits each tool to the chosen number of tokens', async () => {
    const { slug, body } = await published(LARGE, { tool_token_budget: 1500 });

    expect(body['tool_token_budget']).toBe(1500);
    expect((await toolOf(slug)).tokens).toBeLessThanOrEqual(1500);
  });

  test('can be turned off with null', async () => {
    const { slug, body, warnings } = await published(LARGE, { tool_token_budget: null });

    expect(body['tool_token_budget']).toBeNull();
    expect((await toolOf(slug)).tokens).toBeGreaterThan(4000);
    expect(warnings).toEqual([]);
  });

  test('makes a new version when it changes and is kept for the next description', async () => {
    const { slug } = await published(LARGE);

    const changed = await call('PATCH', `/deployments/${slug}`, {
      body: { tool_token_budget: 1000 },
    });
    const replaced = await call('PUT', `/deployments/${slug}/openapi`, {
      body: { openapi: { ...LARGE, info: { title: 'Pets', version: '2' } } },
    });

    expect(changed.body).toMatchObject({ version: 2, tool_token_budget: 1000 });
    expect(replaced.body).toMatchObject({ tool_token_budget: 1000 });
    expect((await toolOf(slug)).tokens).toBeLessThanOrEqual(1000);
  });

  test('can be sent in the query beside a raw description', async () => {
    const { openapi, ...rest } = LARGE;
    const { body } = await call('POST', '/deployments', {
      body: { openapi, ...rest },
      query: 'tool_token_budget=null',
    });

    expect(body['tool_token_budget']).toBeNull();
  });

  test.each([[99], [1_000_001], [1500.5], ['1500'], [false]])('cannot be %j', async (given) => {
    const { status, body } = await call('POST', '/deployments', {
      body: { openapi: LARGE, tool_token_budget: given },
    });

    expect(status).toBe(422);
    expect(body).toMatchObject({ findings: [{ where: '/tool_token_budget' }] });
  });
});

describe('the field structured_output', () => {
  const PET = { type: 'object', properties: { name: { type: 'string' } } };
  const json = (schema: object) => ({
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  });
  const ANSWERING = posting({ type: 'object' }, json(PET), {
    info: { title: 'Answers', version: '1' },
  });
  const NAME = { name: { type: ['string', 'null'] } };

  const outputOf = async (slug: string) =>
    ((await toolOf(slug)) as { output_schema?: { properties: object } }).output_schema?.properties;
  const settingsOf = async (slug: string) =>
    (await service.ports.deploymentEditor.read(slug))?.publication;

  test('is off if it was never said, and then changes nothing that is stored', async () => {
    const never = await published(ANSWERING);
    const said = await published(ANSWERING, { structured_output: 'off' });

    for (const { slug, body } of [never, said]) {
      expect(body['structured_output']).toBe('off');
      expect(await settingsOf(slug)).toEqual({});
      expect(await outputOf(slug)).toBeUndefined();
      const { id, version } = (await service.ports.deploymentEditor.read(slug))!;
      const index = await service.ports.toolIndexes.find(id, version);
      expect(Object.keys(index?.tools[0] ?? {})).toEqual(['name', 'listed', 'operation']);
    }
  });

  test('gives tools output schemas, and takes them away with a warning of what may break', async () => {
    const { slug, body } = await published(ANSWERING, { structured_output: 'on' });
    expect(body['structured_output']).toBe('on');
    expect(await outputOf(slug)).toMatchObject(NAME);

    const off = await call('PATCH', `/deployments/${slug}`, { body: { structured_output: 'off' } });
    expect(off.body).toMatchObject({
      version: 2,
      structured_output: 'off',
      tools: {
        breaking: true,
        changed: [{ changes: ['the results are no longer structured'], breaking: true }],
      },
    });
    expect(await settingsOf(slug)).toEqual({});
    const on = await call('PATCH', `/deployments/${slug}`, { body: { structured_output: 'on' } });
    expect(on.body).toMatchObject({
      version: 3,
      tools: { breaking: false, changed: [{ changes: ['the results are structured'] }] },
    });
  });

  test('can be sent in the query beside a raw description, and with a gallery entry', async () => {
    const raw = await call('POST', '/deployments', {
      body: ANSWERING,
      query: 'structured_output=on',
    });
    expect(raw.body['structured_output']).toBe('on');
    const { body } = await call('POST', '/gallery/open-meteo/deployments', {
      body: { structured_output: 'on' },
    });
    expect(body['structured_output']).toBe('on');
  });

  test('of one tool wins over that of the deployment', async () => {
    const only = { overrides: { addPet: { structured_output: 'on' } } };
    const not = {
      structured_output: 'on',
      overrides: { 'POST /pets': { structured_output: 'off' } },
    };

    const one = await published(ANSWERING, only);
    expect(one.body).toMatchObject({ structured_output: 'off', ...only });
    expect(await outputOf(one.slug)).toMatchObject(NAME);
    const other = await published(ANSWERING, not);
    expect(other.body).toMatchObject(not);
    expect(await outputOf(other.slug)).toBeUndefined();
  });

  test('leaves a note on a tool that still has no schema', async () => {
    const several = posting(
      { type: 'object' },
      {
        responses: {
          200: { description: 'ok', content: { 'application/json': { schema: PET } } },
          201: {
            description: 'ok',
            content: { 'application/json': { schema: { type: 'array' } } },
          },
        },
      },
    );
    const { slug } = await published(several, { structured_output: 'on' });
    expect((await toolOf(slug)).notes).toContainEqual({
      what: 'has no output schema',
      why: 'several different answers are described',
    });
  });

  test.each([
    ['/structured_output', { structured_output: true }],
    ['/structured_output', { structured_output: null }],
    [
      '/overrides/addPet/structured_output',
      { overrides: { addPet: { structured_output: 'yes' } } },
    ],
  ])('is refused at %s: %j', async (where, fields) => {
    const { status, body } = await call('POST', '/deployments', {
      body: { openapi: ANSWERING, ...fields },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ findings: [{ where }] });
  });
});

describe('the report of a tool', () => {
  test('says that all model APIs accept it', async () => {
    const { slug } = await published(LARGE);

    expect(await toolOf(slug)).toMatchObject({
      accepted_by: ['claude', 'openai', 'gemini', 'bedrock'],
      refused_by: [],
    });
  });

  test('says that all model APIs accept a renamed and newly described tool', async () => {
    const addPet = { name: 'n'.repeat(64), description: 'd'.repeat(1024) };
    const { slug } = await published(LARGE, { overrides: { addPet } });

    expect((await toolOf(slug)).accepted_by).toHaveLength(4);
  });

  const withField = (schema: object) => posting({ type: 'object', properties: { field: schema } });
  const SPREAD = 'the fields of the body are arguments of their own';

  test.each<[string, object, readonly string[]]>([
    ['the fields of a plain body', withField({ type: 'string' }), [SPREAD]],
    [
      'a name that had to be changed',
      posting({ type: 'object' }, { operationId: 'add pet' }),
      ['named add_pet for "add pet"', 'the body is one argument'],
    ],
    [
      'renamed fields',
      withField({ type: 'object', properties: { 'a[b]': {} } }),
      ['a_b: sent as field "a[b]"', SPREAD],
    ],
    [
      'merged compositions',
      withField({ allOf: [{ type: 'object', properties: { a: {} } }, { properties: { b: {} } }] }),
      [SPREAD, 'field: allOf is merged'],
    ],
    [
      'alternatives',
      withField({ oneOf: [{ type: 'string', minLength: 2 }, { type: 'integer' }] }),
      [SPREAD, 'field: oneOf has become anyOf'],
    ],
    [
      'formats and patterns',
      withField({ type: 'string', format: 'iban', pattern: '(a+)+$' }),
      [
        SPREAD,
        'field: the pattern is described in words',
        'field: the format iban is described in words',
      ],
    ],
    [
      'fields that only responses have',
      withField({ type: 'object', properties: { id: { readOnly: true }, name: {} } }),
      [SPREAD, 'field: left out: id'],
    ],
    [
      'parameters of the credential',
      posting(
        { type: 'object', properties: { a: {} } },
        { parameters: [{ name: 'key', in: 'query', schema: {} }] },
        { components: { securitySchemes: { k: { type: 'apiKey', name: 'key', in: 'query' } } } },
      ),
      ['query parameter key is no argument', SPREAD],
    ],
    [
      'long texts',
      withField({ type: 'string', description: WORDS.repeat(2) }),
      [SPREAD, '1 text shortened'],
    ],
    [
      'recursion',
      posting(
        { type: 'object', properties: { node: { $ref: '#/components/schemas/Node' } } },
        {},
        {
          components: {
            schemas: {
              Node: {
                type: 'object',
                properties: { next: { $ref: '#/components/schemas/Node' } },
              },
            },
          },
        },
      ),
      [SPREAD, 'node, Node.next: refers to Node, which is under $defs'],
    ],
    [
      'endless recursion',
      posting(
        { type: 'object', properties: { node: { $ref: '#/components/schemas/Node' } } },
        {},
        {
          components: {
            schemas: {
              Node: {
                type: 'object',
                required: ['all'],
                properties: {
                  all: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
                },
              },
            },
          },
        },
      ),
      [
        SPREAD,
        'node: refers to Node, which is under $defs',
        'Node.all[]: Node is not described again inside itself',
      ],
    ],
    [
      'an invalid list of tags',
      posting({ type: 'object', properties: { a: {} } }, { responses: {}, tags: { a: 'pets' } }),
      ['not a list of at most 100 texts', SPREAD],
    ],
  ])('has notes on %s', async (_, openapi, notes) => {
    expect(await notesOf(openapi)).toEqual(notes);
  });

  test('names hidden and fixed arguments and has no other notes on them', async () => {
    const openapi = posting({
      type: 'object',
      properties: {
        hidden: { type: 'string', format: 'iban' },
        'fixed!': { type: 'string', format: 'iban' },
        open: { type: 'string', format: 'iban' },
      },
    });
    const addPet = { arguments: { hidden: { hidden: true }, fixed: { value: 'x' } } };

    expect(await notesOf(openapi, { overrides: { addPet } })).toEqual([
      SPREAD,
      'open: the format iban is described in words',
      'fixed: always sent with one value',
      'hidden: never sent',
    ]);
  });

  test('has notes on an operation behind a reference to a path item', async () => {
    const openapi = aDescription([], {
      paths: { '/pets': { $ref: '#/components/pathItems/Pets' } },
      components: { pathItems: { Pets: { get: { operationId: 'getPets' } } } },
    });

    expect(await notesOf(openapi)).toEqual(['no responses are described']);
  });

  test('is complete where the warnings are summarized', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`/p${at}`, { get: { operationId: `get${at}` } }]),
    );
    const more = await aManagementService({ limits: { endpoints_per_deployment: 300 } });
    try {
      const as = await more.owner();
      const body = { openapi: aDescription([], { paths }), slug: 'many' };
      const { body: made } = await more.call('POST', '/deployments', { as, body });
      const tools = await allTools(more, as);

      expect(made['warnings']).toHaveLength(3);
      expect(tools).toHaveLength(300);
      expect(tools.filter(({ notes }) => notes.length === 1)).toHaveLength(300);
    } finally {
      await more.stop();
    }
  });

  test('belongs to its version and returns with a rollback', async () => {
    const { slug } = await published(posting({ allOf: [{ type: 'object' }] }));
    const before = (await toolOf(slug)).notes;
    await call('PUT', `/deployments/${slug}/openapi`, {
      body: { openapi: posting({ type: 'object', properties: { a: { type: 'string' } } }) },
    });
    const after = (await toolOf(slug)).notes;
    await call('POST', `/deployments/${slug}/rollback`, { body: { version: 1 } });

    expect(after).not.toEqual(before);
    expect((await toolOf(slug)).notes).toEqual(before);
  });
});

const allTools = async (of: TestManagement, as: Owner): Promise<readonly ReportedTool[]> => {
  const tools: unknown[] = [];
  for (let query = 'limit=100'; ;) {
    const { body } = await of.call('GET', '/deployments/many/tools', { as, query });
    tools.push(...(body.items ?? []));
    const next = body['next_cursor'];
    if (typeof next !== 'string') return tools as readonly ReportedTool[];
    query = `limit=100&cursor=${next}`;
  }
};
