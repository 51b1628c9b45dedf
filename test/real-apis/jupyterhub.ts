import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installDebian } from './install.ts';
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

const TOKEN = 'kestrel-umbrella-0123456789';

/**
 * Debian's `jupyterhub`, with the token of a service. The package has no OpenAPI description: the one beside this file was
 * written for it by hand, as owners write some, with a relative server and no credential in it.
 */
export const jupyterHub: RealApi = {
  name: 'JupyterHub',
  install: () => installDebian('jupyterhub'),
  start: async (folder) => {
    const [port, hubPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
    const origin = `http://127.0.0.1:${port}`;
    const configuration = join(folder, 'jupyterhub_config.py');
    await writeFile(
      configuration,
      [
        `c.JupyterHub.bind_url = '${origin}'`,
        `c.JupyterHub.hub_bind_url = 'http://127.0.0.1:${hubPort}'`,
        `c.ConfigurableHTTPProxy.api_url = 'http://127.0.0.1:${proxyPort}'`,
        `c.JupyterHub.db_url = 'sqlite:///${join(folder, 'hub.sqlite')}'`,
        `c.JupyterHub.cookie_secret_file = '${join(folder, 'cookie_secret')}'`,
        "c.JupyterHub.authenticator_class = 'dummy'",
        "c.JupyterHub.spawner_class = 'simple'",
        `c.JupyterHub.services = [{'name': 'owner', 'admin': True, 'api_token': '${TOKEN}'}]`,
      ].join('\n'),
    );
    // Its proxy is a program of Node, whose modules only a Node of Debian finds by itself.
    const program = await startProgram(folder, '/usr/bin/jupyterhub', ['-f', configuration], {
      NODE_PATH: '/usr/share/nodejs',
    });
    const headers = { authorization: `token ${TOKEN}` };
    const api = directly(`${origin}/hub/api`, headers);
    await program.up(async () => (await api.status('/users')) === 200);
    const text = await readFile(join(import.meta.dirname, 'jupyterhub.yaml'), 'utf8');
    return {
      origin,
      headers,
      description: { file: 'jupyterhub.yaml', text },
      deploy: [],
      files: {},
      credentials: [{ args: ['--type', 'bearer'], value: TOKEN }],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

const calls = (api: Direct): readonly Call[] => {
  const names = async (path: string) =>
    listAt(await api(path)).map((one) => String(at(one, 'name')));
  let token = '';
  return [
    {
      title: 'says its version',
      tool: 'getVersion',
      args: () => ({}),
      check: async (answer) => assert.deepEqual(answer.json(), await api('/')),
    },
    {
      title: 'adds somebody',
      tool: 'addUser',
      args: () => ({ name: 'ada' }),
      check: async () => assert.deepEqual(await names('/users'), ['ada']),
      instead: () => api('/users/ada', { method: 'POST' }),
    },
    {
      title: 'adds several',
      tool: 'addUsers',
      args: () => ({ usernames: ['grace', 'alan'], admin: false }),
      check: async () => assert.deepEqual(await names('/users'), ['ada', 'grace', 'alan']),
      instead: () => api('/users', { method: 'POST', body: { usernames: ['grace', 'alan'] } }),
    },
    {
      title: 'lists a page of them',
      tool: 'listUsers',
      args: () => ({ offset: 1, limit: 1 }),
      check: (answer) =>
        assert.deepEqual(
          listAt(answer.json()).map((one) => at(one, 'name')),
          ['grace'],
        ),
    },
    {
      title: 'makes somebody an administrator',
      tool: 'changeUser',
      args: () => ({ name: 'ada', body: { admin: true } }),
      check: async () => assert.equal(at(await api('/users/ada'), 'admin'), true),
    },
    {
      title: 'makes a group',
      tool: 'addGroup',
      args: () => ({ name: 'research' }),
      check: async () => assert.deepEqual(await names('/groups'), ['research']),
      instead: () => api('/groups/research', { method: 'POST' }),
    },
    {
      title: 'adds members to it',
      tool: 'addGroupUsers',
      args: () => ({ name: 'research', users: ['ada', 'grace'] }),
      check: async () =>
        assert.deepEqual(at(await api('/groups/research'), 'users'), ['ada', 'grace']),
      instead: () =>
        api('/groups/research/users', { method: 'POST', body: { users: ['ada', 'grace'] } }),
    },
    {
      title: 'removes one of them, by a DELETE with a body',
      tool: 'removeGroupUsers',
      args: () => ({ name: 'research', users: ['grace'] }),
      check: async () => assert.deepEqual(at(await api('/groups/research'), 'users'), ['ada']),
    },
    {
      title: 'mints a token',
      tool: 'addToken',
      args: () => ({ name: 'ada', note: 'for a script', expires_in: 600 }),
      check: async (answer) => {
        token = String(at(answer.json(), 'id'));
        assert.equal(at(await api(`/users/ada/tokens/${token}`), 'note'), 'for a script');
      },
    },
    {
      title: 'revokes it',
      tool: 'removeToken',
      args: () => ({ name: 'ada', token_id: token }),
      check: async () => assert.equal(await api.status(`/users/ada/tokens/${token}`), 404),
    },
    {
      title: 'lists where requests are led',
      tool: 'getRoutes',
      args: () => ({}),
      check: async (answer) =>
        assert.deepEqual(
          Object.keys(Object(answer.json())),
          Object.keys(Object(await api('/proxy'))),
        ),
    },
    {
      title: 'removes somebody',
      tool: 'removeUser',
      args: () => ({ name: 'alan' }),
      check: async () => assert.equal(await api.status('/users/alan'), 404),
    },
  ];
};
