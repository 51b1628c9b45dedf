import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { installDebian, installNpm, modulesFolder } from './install.ts';
import { type Postgres, POSTGRES_PACKAGE, startPostgres } from './postgres.ts';
import {
  at,
  listAt,
  type Call,
  type Direct,
  directly,
  folderIn,
  freePort,
  type RealApi,
  startProgram,
} from './real-api.ts';

const PACKAGES = [
  '@strapi/strapi@5.54.0',
  '@strapi/plugin-users-permissions@5.54.0',
  '@strapi/plugin-documentation@5.54.0',
  'pg@8.16.3',
  'react@18.3.1',
  'react-dom@18.3.1',
  'react-router-dom@6.30.3',
  'styled-components@6.1.19',
];
const SECRET = 'kestrel-umbrella-0123456789abcdef';
const PASSWORD = 'kestrel umbrella';

/** Strapi of npm on Debian's PostgreSQL. Its documentation plugin writes the OpenAPI 3.0; its login gives a JWT. */
export const strapi: RealApi = {
  name: 'Strapi',
  install: async (cache) => {
    await installDebian(POSTGRES_PACKAGE);
    await installNpm(cache, PACKAGES);
  },
  start: async (folder, cache) => {
    const database = await startPostgres(folder);
    const port = await freePort();
    const app = await folderIn(folder, 'app');
    for (const [name, text] of Object.entries(filesOf(database, port))) {
      await mkdir(dirname(join(app, name)), { recursive: true });
      await writeFile(join(app, name), text);
    }
    const modules = join(modulesFolder(cache, PACKAGES), 'node_modules');
    await symlink(modules, join(app, 'node_modules'));
    const command = join(modules, '@strapi/strapi/bin/strapi.js');
    const program = await startProgram(app, process.execPath, [command, 'start'], {
      NODE_ENV: 'development',
      STRAPI_TELEMETRY_DISABLED: 'true',
      STRAPI_DISABLE_UPDATE_NOTIFICATION: 'true',
    });
    const origin = `http://127.0.0.1:${port}`;
    const plain = directly(`${origin}/api`);
    await program.up(async () => (await plain.status('/articles')) === 200);
    const login = { identifier: 'ada@example.com', password: PASSWORD };
    const jwt = String(at(await plain('/auth/local', { method: 'POST', body: login }), 'jwt'));
    const headers = { authorization: `Bearer ${jwt}` };
    const written = 'src/extensions/documentation/documentation/1.0.0/full_documentation.json';
    return {
      origin,
      headers,
      description: { file: 'strapi.json', text: await readFile(join(app, written), 'utf8') },
      deploy: ['--tool-mode', 'operations'],
      files: {},
      credentials: [
        {
          args: [
            '--type',
            'session',
            '--login',
            'POST /auth/local',
            '--token-at',
            '/jwt',
            '--field',
            'identifier=ada@example.com',
            '--field',
            'password',
          ],
          value: PASSWORD,
        },
      ],
      calls: calls(directly(`${origin}/api`, headers), origin),
      [Symbol.asyncDispose]: async () => {
        await program[Symbol.asyncDispose]();
        await database[Symbol.asyncDispose]();
      },
    };
  },
};

/** What `create-strapi-app` would write, with one type of content, and a person who may do everything with it. */
const filesOf = ({ port: databasePort, user }: Postgres, port: number) => ({
  'package.json': JSON.stringify({
    name: 'articles',
    private: true,
    dependencies: Object.fromEntries(
      PACKAGES.map((one) => one.split(/(?<=.)@/) as [string, string]),
    ),
    strapi: { uuid: false },
  }),
  'config/database.js': `module.exports = () => ({
    connection: { client: 'postgres', connection: {
      host: '127.0.0.1', port: ${databasePort}, user: '${user}', database: 'postgres', ssl: false } } });`,
  'config/server.js': `module.exports = () => ({
    host: '127.0.0.1', port: ${port}, app: { keys: ['${SECRET}'] } });`,
  'config/admin.js': `module.exports = () => ({
    serveAdminPanel: false, auth: { secret: '${SECRET}' }, apiToken: { salt: '${SECRET}' },
    transfer: { token: { salt: '${SECRET}' } }, secrets: { encryptionKey: '${SECRET}' } });`,
  'config/plugins.js': `module.exports = () => ({
    'users-permissions': { config: { jwtSecret: '${SECRET}' } },
    documentation: { enabled: true, config: { 'x-strapi-config': { plugins: ['upload', 'users-permissions'] } } } });`,
  'config/middlewares.js': `module.exports = ['strapi::logger', 'strapi::errors', 'strapi::security', 'strapi::cors',
    'strapi::poweredBy', 'strapi::query', 'strapi::body', 'strapi::session', 'strapi::favicon', 'strapi::public'];`,
  'public/robots.txt': '',
  'public/uploads/.gitkeep': '',
  'src/api/article/content-types/article/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'articles',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    options: { draftAndPublish: false },
    attributes: {
      title: { type: 'string', required: true },
      body: { type: 'text' },
      rank: { type: 'integer', default: 0 },
      cover: { type: 'media', multiple: false, allowedTypes: ['files', 'images'] },
    },
  }),
  ...Object.fromEntries(
    Object.entries({ controllers: 'Controller', routes: 'Router', services: 'Service' }).map(
      ([folder, what]) => [
        `src/api/article/${folder}/article.js`,
        `module.exports = require('@strapi/strapi').factories.createCore${what}('api::article.article');`,
      ],
    ),
  ),
  'src/index.js': `module.exports = { register() {}, async bootstrap({ strapi }) {
    const roles = await strapi.db.query('plugin::users-permissions.role').findMany();
    const role = roles.find(({ type }) => type === 'authenticated');
    const actions = ['find', 'findOne', 'create', 'update', 'delete'].map((name) => 'api::article.article.' + name);
    const uploads = ['find', 'findOne', 'upload', 'destroy'].map((name) => 'plugin::upload.content-api.' + name);
    for (const { id, type } of roles) {
      const allowed = type === 'authenticated' ? [...actions, ...uploads] : [actions[0]];
      for (const action of allowed) await strapi.db.query('plugin::users-permissions.permission').create({ data: { action, role: id } });
    }
    await strapi.plugin('users-permissions').service('user').add({
      username: 'ada', email: 'ada@example.com', password: '${PASSWORD}', provider: 'local', confirmed: true, role: role.id });
  } };`,
});

const calls = (api: Direct, origin: string): readonly Call[] => {
  const titles = async () =>
    listAt(await api('/articles?sort=id'), 'data').map((one) => at(one, 'title'));
  const ids = { article: '', file: 0 };
  const article = () => api(`/articles/${ids.article}`);
  return [
    {
      title: 'knows who it is, by a token of its login',
      tool: 'get_users_me',
      args: () => ({}),
      check: (answer) => assert.equal(at(answer.json(), 'email'), 'ada@example.com'),
    },
    {
      title: 'creates an article',
      tool: 'post_articles',
      args: () => ({ data: { title: 'First', body: 'one', rank: 2 } }),
      check: async (answer) => {
        ids.article = String(at(answer.json(), 'data', 'documentId'));
        assert.equal(at(await article(), 'data', 'title'), 'First');
      },
    },
    {
      title: 'creates another one',
      tool: 'post_articles',
      args: () => ({ data: { title: 'Second', rank: 1 } }),
      check: async () => assert.deepEqual(await titles(), ['First', 'Second']),
    },
    {
      title: 'lists them sorted, a page of one',
      tool: 'get_articles',
      args: () => ({ sort: 'rank:asc', pagination_pageSize: 1 }),
      check: (answer) => {
        assert.deepEqual(
          listAt(answer.json(), 'data').map((one) => at(one, 'title')),
          ['Second'],
        );
        assert.equal(at(answer.json(), 'meta', 'pagination', 'total'), 2);
      },
    },
    {
      title: 'finds one by a filter',
      tool: 'get_articles',
      args: () => ({ filters: { title: { $eq: 'First' } } }),
      check: (answer) =>
        assert.deepEqual(
          listAt(answer.json(), 'data').map((one) => at(one, 'title')),
          ['First'],
        ),
    },
    {
      title: 'reads it by its id, which is a text although a number is described',
      tool: 'get_articles_id',
      args: () => ({ id: ids.article }),
      check: async (answer) => assert.deepEqual(answer.json(), await article()),
    },
    {
      title: 'changes it',
      tool: 'put_articles_id',
      args: () => ({ id: ids.article, data: { title: 'Changed' } }),
      check: async () => assert.deepEqual(await titles(), ['Changed', 'Second']),
    },
    {
      title: 'uploads a file',
      tool: 'post_upload',
      args: () => ({
        files: [{ filename: 'notes.txt', contentType: 'text/plain', data: btoa('one\ntwo\n') }],
      }),
      check: async (answer) => {
        ids.file = Number(at(answer.json(), 0, 'id'));
        const url = String(at(await api(`/upload/files/${ids.file}`), 'url'));
        assert.equal(await (await fetch(`${origin}${url}`)).text(), 'one\ntwo\n');
      },
    },
    {
      title: 'changes the words about the file, whose id is in the query of the path',
      tool: 'post_upload_id_by_id',
      args: () => ({ id: String(ids.file), fileInfo: { alternativeText: 'Two lines' } }),
      check: async () =>
        assert.equal(at(await api(`/upload/files/${ids.file}`), 'alternativeText'), 'Two lines'),
    },
    {
      title: 'lists files',
      tool: 'get_upload_files',
      args: () => ({}),
      check: (answer) => assert.equal(at(answer.json(), 0, 'name'), 'notes.txt'),
    },
    {
      title: 'deletes an article',
      tool: 'delete_articles_id',
      args: () => ({ id: ids.article }),
      check: async () => assert.equal(await api.status(`/articles/${ids.article}`), 404),
    },
  ];
};
