import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
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

const OPENAPI = aDescription([], {
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        summary: 'One pet',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'fields[]', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'locale', in: 'query', schema: { enum: ['en', 'de'] } },
        ],
        responses: {},
      },
    },
    '/pets': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                additionalProperties: true,
                properties: {
                  name: { type: 'string' },
                  owner: { $ref: '#/components/schemas/Owner' },
                  note: { type: 'string' },
                },
                required: ['name'],
              },
            },
          },
        },
        responses: {},
      },
    },
  },
  components: {
    schemas: {
      Owner: {
        type: 'object',
        properties: { name: { type: 'string' }, friend: { $ref: '#/components/schemas/Owner' } },
      },
    },
  },
});

const notAnArgument = (name: string) =>
  expect.objectContaining({ description: expect.stringContaining(`/${name} is not an argument`) });

const call = (method: string, path: string, more: ApiCall = {}) =>
  service.call(method, path, { as: owner, ...more });
const publish = (overrides: object, openapi: object = OPENAPI) =>
  call('POST', '/deployments', { body: { openapi, overrides } });

/** The tools of a new deployment with these overrides, as the router has them. */
const toolsWith = async (overrides: object, openapi: object = OPENAPI) => {
  const { body } = await publish(overrides, openapi);
  if (body['slug'] === undefined) throw new Error(JSON.stringify(body));
  const { id = '', version = 0 } =
    (await service.ports.deploymentEditor.read(String(body['slug']))) ?? {};
  const index = await service.ports.toolIndexes.find(id, version);
  return (index?.tools ?? []).map((tool) => ({
    ...tool,
    listed: JSON.parse(tool.listed),
    call: (args: object) => {
      const prepared = prepareTool(tool);
      return buildRequest(prepared, readArguments(prepared, args));
    },
  }));
};

describe('the chosen members of answers', () => {
  const withAnswer = (schema: object) =>
    aDescription(['list'], {
      paths: {
        '/pets': {
          get: {
            operationId: 'list',
            responses: { 200: { description: '', content: { 'application/json': { schema } } } },
          },
        },
      },
    });
  const ROWS = {
    type: 'object',
    properties: { data: { type: 'array', items: { type: 'object', properties: { id: {} } } } },
  };

  test('are stored and shown', async () => {
    const fields = ['/data/*/id', '/~0a~1b/*'];
    const { status, body } = await publish({ getPet: { answer_fields: fields } });

    expect(status).toBe(201);
    expect(body).toMatchObject({ overrides: { getPet: { answer_fields: fields } } });
  });

  test.each([
    [[]],
    [['']],
    [['data']],
    [['/a~2']],
    [['/a~']],
    [[`/${'a'.repeat(500)}`]],
    [['/a'.repeat(33)]],
    [Array.from({ length: 101 }, (_, index) => `/${index}`)],
    ['/data'],
    [[1]],
  ])('are refused where they are none, or too many', async (fields) => {
    const { status, body } = await publish({ getPet: { answer_fields: fields } });

    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('/overrides/getPet/answer_fields');
  });

  test.each([
    [['x-total-count', 'x-page-*'], 201],
    [[], 201],
    [['two words'], 422],
    [['*'], 422],
    [['set-cookie'], 422],
    [['X-Auth-Token'], 422],
    [Array.from({ length: 31 }, (_, index) => `x-${index}`), 422],
  ])('headers %j of answers are %d', async (names, expected) => {
    const { status, body } = await publish({ getPet: { answer_headers: names } });

    expect(status).toBe(expected);
    if (expected === 201) {
      expect(body).toMatchObject({ overrides: { getPet: { answer_headers: names } } });
    } else expect(JSON.stringify(body)).toContain('/overrides/getPet/answer_headers');
  });

  test('are warned of where no described answer has them, with what it has', async () => {
    const fields = ['/data/*/id', '/data/*/name', '/total', '/data/first', '/data/*/id/deep'];
    const { body } = await publish({ list: { answer_fields: fields } }, withAnswer(ROWS));

    expect(body['warnings']).toEqual([
      expect.objectContaining({
        where: '/overrides/list/answer_fields/1',
        what: '"/data/*/name" is in no answer of list that the description knows',
        hint: expect.stringContaining('It has there: id.'),
      }),
      expect.objectContaining({ where: '/overrides/list/answer_fields/2' }),
      expect.objectContaining({ where: '/overrides/list/answer_fields/3' }),
    ]);
  });

  test.each([{ type: 'object' }, {}, { type: 'object', additionalProperties: { type: 'string' } }])(
    'are not where the description says nothing of them: %j',
    async (schema) => {
      const fields = ['/anything/*/at/all', '/__proto__'];
      const { body } = await publish({ list: { answer_fields: fields } }, withAnswer(schema));

      expect(body['warnings']).toEqual([]);
    },
  );
});

describe('an override of a tool', () => {
  test('changes its name, title, description and annotations', async () => {
    const [tool] = await toolsWith({
      getPet: {
        name: 'fetch_pet',
        title: 'Fetch a pet',
        description: 'Fetches one pet by its id.',
        annotations: { read_only_hint: false, open_world_hint: false },
      },
    });

    expect(tool?.name).toBe('fetch_pet');
    expect(tool?.listed).toMatchObject({
      name: 'fetch_pet',
      title: 'Fetch a pet',
      description: 'Fetches one pet by its id.',
      annotations: {
        title: 'Fetch a pet',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
  });

  test('by method and path takes precedence over one by operationId', async () => {
    const [tool] = await toolsWith({
      'GET /pets/{id}': { name: 'by_path' },
      getPet: { name: 'by_id', title: 'Both count' },
    });

    expect(tool?.listed).toMatchObject({ name: 'by_path', title: 'Both count' });
  });

  test('hides an operation', async () => {
    const tools = await toolsWith({ getPet: { hidden: true } });

    expect(tools.map(({ name }) => name)).toEqual(['post_pets']);
  });

  test('hides an argument, which is then never sent', async () => {
    const [named] = await toolsWith({ getPet: { arguments: { locale: { hidden: true } } } });

    expect(Object.keys(named?.listed.inputSchema.properties)).not.toContain('locale');
    expect(() => named?.call({ id: '1', locale: 'en' })).toThrow(notAnArgument('locale'));
    expect(named?.call({ id: '1' }).url).toBe('https://pets.example.com/v1/pets/1');
  });

  test('fixes an argument, which is then always sent and not accepted', async () => {
    const [tool] = await toolsWith({
      getPet: { arguments: { id: { value: '7' }, locale: { value: 'de' } } },
    });

    expect(tool?.listed.inputSchema).not.toHaveProperty('required');
    expect(tool?.call({}).url).toBe('https://pets.example.com/v1/pets/7?locale=de');
    expect(() => tool?.call({ id: '8' })).toThrow(notAnArgument('id'));
  });

  test('also applies to a body with additional properties', async () => {
    const tools = await toolsWith({
      'POST /pets': { arguments: { note: { hidden: true }, owner: { value: { name: 'Ada' } } } },
    });
    const tool = tools[1];

    expect(tool?.listed.inputSchema).not.toHaveProperty('$defs');
    expect(JSON.parse(String(tool?.call({ name: 'Rex', more: 1 }).body))).toEqual({
      name: 'Rex',
      more: 1,
      owner: { name: 'Ada' },
    });
    expect(() => tool?.call({ name: 'Rex', note: 'x' })).toThrow(notAnArgument('note'));
  });

  test('survives new descriptions, with a warning while its operation is missing', async () => {
    const { body } = await publish({ getPet: { name: 'fetch_pet' } });
    const path = `/deployments/${String(body['slug'])}`;

    const without = await call('PUT', `${path}/openapi`, {
      body: { openapi: aDescription(['a']) },
    });
    expect(without.body).toMatchObject({
      overrides: { getPet: { name: 'fetch_pet' } },
      warnings: [{ where: '/overrides/getPet', what: expect.stringContaining('is kept') }],
    });

    const back = await call('PUT', `${path}/openapi`, { body: { openapi: OPENAPI } });
    expect(back.body).toMatchObject({ warnings: [], tools: { added: ['fetch_pet', 'post_pets'] } });
  });

  test('is changed one by one, and removed with null', async () => {
    const { body } = await publish({ getPet: { title: 'One' }, 'POST /pets': { title: 'Two' } });
    const path = `/deployments/${String(body['slug'])}`;

    const patched = await call('PATCH', path, { body: { overrides: { getPet: null } } });

    expect(patched.body['overrides']).toEqual({ 'POST /pets': { title: 'Two' } });
  });

  test.each<[string, object, string, string]>([
    [
      'a name with a space',
      { getPet: { name: 'a b' } },
      'invalid_request',
      '/overrides/getPet/name',
    ],
    [
      'a name that is taken',
      { getPet: { name: 'post_pets' } },
      'invalid_request',
      '/overrides/getPet/name',
    ],
    [
      'an unknown argument',
      { getPet: { arguments: { nothing: { hidden: true } } } },
      'invalid_request',
      '/overrides/getPet/arguments/nothing',
    ],
    [
      'a required argument that is hidden',
      { getPet: { arguments: { id: { hidden: true } } } },
      'invalid_request',
      '/overrides/getPet/arguments/id',
    ],
    [
      'a value that does not fit',
      { getPet: { arguments: { locale: { value: 'fr' } } } },
      'invalid_request',
      '/overrides/GET ~1pets~1{id}/arguments/locale',
    ],
    [
      'no remaining operation',
      { getPet: { hidden: true }, 'POST /pets': { hidden: true } },
      'no_operations',
      '/overrides',
    ],
    [
      'more than the size limit',
      Object.fromEntries(
        Array.from({ length: 70 }, (_, n) => [`op${n}`, { description: 'x'.repeat(1000) }]),
      ),
      'invalid_request',
      '/overrides',
    ],
    [
      'an unknown field',
      { getPet: { colour: 'red' } },
      'invalid_request',
      '/overrides/getPet/colour',
    ],
  ])('is refused with %s', async (_, overrides, code, where) => {
    expect(await publish(overrides)).toMatchObject({
      status: 422,
      body: { code, findings: [{ where }] },
    });
  });
});

describe('arguments under *', () => {
  const PAGED = aDescription([], {
    paths: Object.fromEntries(
      ['pets', 'owners'].map((name) => [
        `/{tenant}/${name}`,
        {
          get: {
            operationId: name,
            parameters: [
              { name: 'tenant', in: 'path', required: true, schema: { type: 'string' } },
              {
                name: 'size',
                in: 'query',
                schema: name === 'pets' ? { type: 'integer', maximum: 10 } : { type: 'string' },
              },
              ...(name === 'pets' ? [{ name: 'a/b', in: 'query', required: true }] : []),
            ],
            responses: {},
          },
        },
      ]),
    ),
  });
  const everywhere = (args: object, others: object = {}) =>
    publish({ ...others, '*': { arguments: args } }, PAGED);

  test('hold for every operation that has them, unless its own override says otherwise', async () => {
    const overrides = {
      '*': { arguments: { tenant: { value: 'acme' }, size: { hidden: true } } },
      owners: { arguments: { tenant: { value: 'other' } } },
    };
    const [pets, owners] = await toolsWith(overrides, PAGED);

    expect(Object.keys(pets?.listed.inputSchema.properties)).toEqual(['a_b']);
    expect(pets?.call({ a_b: 'x' }).url).toContain('/acme/pets?');
    expect(owners?.call({}).url).toMatch(/\/other\/owners$/);
    expect(() => owners?.call({ tenant: 'mine' })).toThrow(notAnArgument('tenant'));
  });

  test('hold for operations that come later', async () => {
    const { body } = await everywhere({ tenant: { value: 'acme' } });
    const slug = String(body['slug']);
    const paths = {
      '/{tenant}/new': {
        get: {
          operationId: 'new',
          parameters: [{ name: 'tenant', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {},
        },
      },
    };
    const { status } = await call('PUT', `/deployments/${slug}/openapi`, {
      body: { openapi: aDescription([], { paths }) },
    });
    expect(status).toBe(200);

    const { body: tools } = await call('GET', `/deployments/${slug}/tools`);
    expect(tools).toMatchObject({ items: [{ name: 'new', input_schema: { properties: {} } }] });
  });

  test('are a warning where no operation has them', async () => {
    const { status, body } = await everywhere({ tenant: { value: 'x' }, tenent: { value: 'y' } });

    expect(status).toBe(201);
    expect(body['warnings']).toEqual([
      expect.objectContaining({
        where: '/overrides/*/arguments/tenent',
        what: expect.stringContaining('no operation'),
      }),
    ]);
  });

  test.each([
    [{ size: { value: 11 } }, '/overrides/*/arguments/size', '(in GET /{tenant}/pets)'],
    [{ tenant: { hidden: true } }, '/overrides/*/arguments/tenant', 'required'],
    [{ a_b: { hidden: true } }, '/overrides/*/arguments/a_b', 'required'],
  ])('are refused where they do not fit: %j', async (args, where, what) => {
    const { status, body } = await everywhere(args);

    expect(status).toBe(422);
    const findings = body['findings'] as { where: string; what: string }[];
    expect(findings.map((one) => one.where)).toContain(where);
    expect(JSON.stringify(findings)).toContain(what);
  });

  test('are all that can be said of every operation', async () => {
    const { status, body } = await publish({ '*': { title: 'All' } }, PAGED);

    expect(status).toBe(422);
    expect(body).toMatchObject({ findings: [{ where: '/overrides/*/title' }] });
  });
});
