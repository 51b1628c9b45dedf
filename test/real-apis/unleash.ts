import assert from 'node:assert/strict';
import { join } from 'node:path';
import { installDebian, installNpm, modulesFolder } from './install.ts';
import { POSTGRES_PACKAGE, startPostgres } from './postgres.ts';
import {
  at,
  listAt,
  type Call,
  type Direct,
  directly,
  freePort,
  type RealApi,
  startProgram,
} from './real-api.ts';

const PACKAGES = ['unleash-server@8.2.0'];
const TOKEN = '*:*.kestrel-umbrella-0123456789abcdef';

/** Unleash of npm on Debian's PostgreSQL, with a token of an administrator. It makes its OpenAPI 3.0 of some 300 operations. */
export const unleash: RealApi = {
  name: 'Unleash',
  install: async (cache) => {
    await installDebian(POSTGRES_PACKAGE);
    await installNpm(cache, PACKAGES);
  },
  start: async (folder, cache) => {
    const database = await startPostgres(folder);
    const port = await freePort();
    const server = join(
      modulesFolder(cache, PACKAGES),
      'node_modules/unleash-server/dist/server.js',
    );
    const program = await startProgram(folder, process.execPath, [server], {
      DATABASE_URL: `postgres://${database.user}@127.0.0.1:${database.port}/postgres`,
      DATABASE_SSL: 'false',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      INIT_ADMIN_API_TOKENS: TOKEN,
      CHECK_VERSION: 'false',
      SEND_TELEMETRY: 'false',
      TZ: 'UTC',
    });
    const origin = `http://127.0.0.1:${port}`;
    const headers = { authorization: TOKEN };
    const api = directly(origin, headers);
    await program.up(async () => (await api.status('/health')) === 200);
    return {
      origin,
      headers,
      description: { file: 'unleash.json', text: await api.text('/docs/openapi.json') },
      deploy: [
        '--tool-mode',
        'operations',
        '--include',
        'tag:Features',
        '--include',
        'tag:Projects',
        '--include',
        'tag:Segments',
        '--include',
        'tag:Tags',
        '--include',
        'tag:Context',
        '--include',
        'tag:Archive',
      ],
      files: {},
      credentials: [
        {
          args: ['--type', 'api_key', '--name', 'Authorization', '--in', 'header'],
          value: TOKEN,
        },
      ],
      calls: calls(api),
      [Symbol.asyncDispose]: async () => {
        await program[Symbol.asyncDispose]();
        await database[Symbol.asyncDispose]();
      },
    };
  },
};

const calls = (api: Direct): readonly Call[] => {
  const features = '/api/admin/projects/default/features';
  const flag = () => api(`${features}/new-checkout`);
  const inProject = { projectId: 'default', featureName: 'new-checkout' };
  const strategies = async () =>
    listAt(await api(`${features}/new-checkout/environments/development/strategies`));
  let segment = 0;
  return [
    {
      title: 'creates a flag',
      tool: 'createFeature',
      args: () => ({ projectId: 'default', name: 'new-checkout', type: 'release' }),
      check: async () => assert.equal(at(await flag(), 'type'), 'release'),
      instead: () => api(features, { method: 'POST', body: { name: 'new-checkout' } }),
    },
    {
      title: 'reads it',
      tool: 'getFeature',
      args: () => inProject,
      check: async (answer) => assert.deepEqual(answer.json(), await flag()),
    },
    {
      title: 'changes it by a JSON Patch',
      tool: 'patchFeature',
      args: () => ({
        ...inProject,
        body: [{ op: 'replace', path: '/description', value: 'Pays in one step' }],
      }),
      check: async () => assert.equal(at(await flag(), 'description'), 'Pays in one step'),
    },
    {
      title: 'adds a strategy with parameters',
      tool: 'addFeatureStrategy',
      args: () => ({
        ...inProject,
        environment: 'development',
        name: 'flexibleRollout',
        parameters: { rollout: '20', stickiness: 'default', groupId: 'new-checkout' },
      }),
      check: async () =>
        assert.deepEqual(
          (await strategies()).map((one) => at(one, 'parameters', 'rollout')),
          ['20'],
        ),
    },
    {
      title: 'turns it on in an environment',
      tool: 'toggleFeatureEnvironmentOn',
      args: () => ({ ...inProject, environment: 'development' }),
      check: async () => {
        const environments = listAt(await flag(), 'environments');
        const found = environments.find((one) => at(one, 'name') === 'development');
        assert.equal(at(found, 'enabled'), true);
      },
    },
    {
      title: 'makes a segment with constraints',
      tool: 'createSegment',
      args: () => ({
        name: 'adults',
        constraints: [
          {
            contextName: 'age',
            operator: 'NUM_GTE',
            value: '18',
            values: [],
            inverted: false,
            caseInsensitive: false,
          },
        ],
      }),
      check: async (answer) => {
        segment = Number(at(answer.json(), 'id'));
        const found = await api(`/api/admin/segments/${segment}`);
        assert.equal(at(found, 'constraints', 0, 'operator'), 'NUM_GTE');
      },
    },
    {
      title: 'tags the flag',
      tool: 'addTag',
      args: () => ({ featureName: 'new-checkout', type: 'simple', value: 'payments' }),
      check: async () =>
        assert.deepEqual(
          listAt(await api('/api/admin/features/new-checkout/tags'), 'tags').map((one) =>
            at(one, 'value'),
          ),
          ['payments'],
        ),
    },
    {
      title: 'adds a field of the context',
      tool: 'createContextField',
      args: () => ({
        name: 'plan',
        stickiness: true,
        legalValues: [{ value: 'pro', description: 'Pays' }],
      }),
      check: async () => assert.equal(at(await api('/api/admin/context/plan'), 'stickiness'), true),
    },
    {
      title: 'makes a copy of the flag',
      tool: 'cloneFeature',
      args: () => ({ ...inProject, name: 'newer-checkout' }),
      check: async () => assert.equal(await api.status(`${features}/newer-checkout`), 200),
    },
    {
      title: 'removes the segment',
      tool: 'removeSegment',
      args: () => ({ id: segment }),
      check: async () => assert.equal(await api.status(`/api/admin/segments/${segment}`), 404),
    },
    {
      title: 'archives the flag',
      tool: 'archiveFeature',
      args: () => inProject,
      check: async () => assert.equal(await api.status(`${features}/new-checkout`), 404),
    },
  ];
};
