import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { installNpm, modulesFolder } from './install.ts';
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

const PACKAGES = ['directus@11.3.5', 'sqlite3@5.1.7'];
/** Of its dependencies, those that compile something. */
const SCRIPTS = ['sqlite3', 'argon2', 'isolated-vm', 'sharp'];
/** One of its dependencies is compiled for a version of Node, and not for those after 22. */
const NODE_VERSIONS = ['v18.', 'v20.', 'v22.'];
const TOKEN = 'kestrel-umbrella';
const ROWS = 100;

/** Directus of npm on SQLite. It makes its OpenAPI 3.0 of its collections, for who asks. */
export const directus: RealApi = {
  name: 'Directus',
  install: async (cache) => void (await installNpm(cache, PACKAGES, SCRIPTS, await olderNode())),
  start: async (folder, cache) => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const node = await olderNode();
    const cli = join(modulesFolder(cache, PACKAGES), 'node_modules/directus/cli.js');
    const environment = {
      DB_CLIENT: 'sqlite3',
      DB_FILENAME: join(folder, 'data.db'),
      SECRET: TOKEN.repeat(3),
      ADMIN_EMAIL: 'ada@example.com',
      ADMIN_PASSWORD: TOKEN,
      ADMIN_TOKEN: TOKEN,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: origin,
      STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
      TELEMETRY: 'false',
    };
    await promisify(execFile)(node, [cli, 'bootstrap'], { cwd: folder, env: environment });
    const program = await startProgram(folder, node, [cli, 'start'], environment);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const api = directly(origin, headers);
    await program.up(async () => (await api.text('/server/ping')) === 'pong');
    for (const body of COLLECTIONS) await api('/collections', { method: 'POST', body });
    await api('/items/customers', { method: 'POST', body: CUSTOMERS });
    return {
      origin,
      headers,
      description: { file: 'directus.json', text: await api.text('/server/specs/oas') },
      files: {},
      deploy: [],
      credentials: [{ args: ['--type', 'bearer'], value: TOKEN }],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

/** A Node on the path that Directus runs under. @throws Error if there is none */
const olderNode = async (): Promise<string> => {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(folder, 'node');
    const version = await access(node)
      .then(() => promisify(execFile)(node, ['--version']))
      .then(
        ({ stdout }) => stdout,
        () => '',
      );
    if (NODE_VERSIONS.some((start) => version.startsWith(start))) return node;
  }
  throw new Error('Directus wants Node 18, 20 or 22 on the path, and none is there');
};

const ID = {
  field: 'id',
  type: 'integer',
  meta: { hidden: true },
  schema: { is_primary_key: true, has_auto_increment: true },
};
const text = (field: string, schema: object = {}) => ({ field, type: 'string', meta: {}, schema });
const ATTRIBUTES = Array.from({ length: 100 }, (_, index) => `attribute_${index + 1}`);

const COLLECTIONS = [
  {
    collection: 'articles',
    meta: {},
    schema: {},
    fields: [
      ID,
      { ...text('title', { is_nullable: false }), meta: { required: true } },
      text('status', { default_value: 'draft' }),
    ],
  },
  {
    collection: 'customers',
    meta: {},
    schema: {},
    fields: [ID, ...ATTRIBUTES.map((name) => text(name))],
  },
];

const CUSTOMERS = Array.from({ length: ROWS }, (_, row) =>
  Object.fromEntries(ATTRIBUTES.map((name) => [name, `${name} of customer ${row + 1}`])),
);

const calls = (api: Direct): readonly Call[] => {
  const article = (id: number) => api(`/items/articles/${id}`);
  const wanted = { field: 'summary', type: 'text' };
  const made = { title: 'First', status: 'draft' };
  return [
    {
      title: 'says who it is, without the token that the description requires',
      tool: 'serverInfo',
      args: () => ({}),
      check: async (answer) =>
        assert.equal(
          at(answer.json(), 'data', 'project', 'project_name'),
          at(await api('/server/info'), 'data', 'project', 'project_name'),
        ),
    },
    {
      title: 'makes an item',
      tool: 'createItemsArticles',
      args: () => ({ body: made }),
      check: async () => assert.equal(at(await article(1), 'data', 'title'), 'First'),
      instead: () => api('/items/articles', { method: 'POST', body: made }),
    },
    {
      title: 'changes one member of it',
      tool: 'updateSingleItemsArticles',
      args: () => ({ id: 1, body: { status: 'published' } }),
      check: async () => {
        const changed = at(await article(1), 'data');
        assert.deepEqual([at(changed, 'title'), at(changed, 'status')], ['First', 'published']);
      },
      instead: () => api('/items/articles/1', { method: 'PATCH', body: { status: 'published' } }),
    },
    {
      title: 'finds it by a filter that is JSON in a query',
      tool: 'readItemsArticles',
      args: () => ({ filter: { status: { _eq: 'published' } }, fields: ['id', 'status'] }),
      check: (answer) =>
        assert.deepEqual(at(answer.json(), 'data'), [{ id: 1, status: 'published' }]),
    },
    {
      title: 'reads it',
      tool: 'readSingleItemsArticles',
      args: () => ({ id: 1 }),
      check: async (answer) => assert.deepEqual(answer.json(), await article(1)),
    },
    {
      title: 'adds a field, without the length that the description requires and nothing describes',
      tool: 'createField',
      args: () => ({ collection: 'articles', body: wanted }),
      check: async () =>
        assert.equal(at(await api('/fields/articles/summary'), 'data', 'type'), 'text'),
      instead: () => api('/fields/articles', { method: 'POST', body: wanted }),
    },
    {
      title: 'takes a file, which the description calls a text',
      tool: 'createFile',
      args: () => ({
        title: 'Notes',
        file: { filename: 'notes.txt', contentType: 'text/plain', data: base64('one\ntwo\n') },
      }),
      check: async () => {
        const [file, ...more] = listAt(await api('/files'), 'data');
        assert.deepEqual([at(file, 'title'), at(file, 'type'), more], ['Notes', 'text/plain', []]);
        assert.equal(await api.text(`/assets/${at(file, 'id')}`), 'one\ntwo\n');
      },
    },
    {
      title: 'lists 100 rows of 100 fields, within the budget of an answer',
      tool: 'readItemsCustomers',
      args: () => ({}),
      check: async (answer) => {
        const shown = listAt(answer.json(), 'data');
        const all = listAt(await api('/items/customers'), 'data');
        assert.ok(shown.length > 1);
        assert.deepEqual(shown, all.slice(0, shown.length));
      },
    },
    {
      title: 'knows whose token it is',
      tool: 'getMe',
      args: () => ({ fields: ['email'] }),
      check: (answer) => assert.deepEqual(at(answer.json(), 'data'), { email: 'ada@example.com' }),
    },
    {
      title: 'deletes several, of which the description does not say which',
      tool: 'deleteItemsCustomers',
      args: () => ({ body: [1, 2] }),
      check: async () => assert.equal(await api.status('/items/customers/2'), 403),
    },
    {
      title: 'deletes an item',
      tool: 'deleteSingleItemsArticles',
      args: () => ({ id: 1 }),
      // What is not there may not be seen either.
      check: async () => assert.equal(await api.status('/items/articles/1'), 403),
      instead: () => api('/items/articles/1', { method: 'DELETE' }),
    },
  ];
};

const base64 = (plain: string): string => Buffer.from(plain).toString('base64');
