import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { installDebian } from './install.ts';
import {
  at,
  type Call,
  type Direct,
  directly,
  folderIn,
  freePort,
  listAt,
  type RealApi,
  startProgram,
} from './real-api.ts';

const TOKEN = 'kestrel-umbrella';
const DESCRIPTION = '/usr/lib/python3/dist-packages/jupyter_server/services/api/api.yaml';

/** Debian's `jupyter-server`, with a token. Its Swagger 2.0, which names no credential, is in its package. */
export const jupyterServer: RealApi = {
  name: 'Jupyter Server',
  install: () => installDebian('jupyter-server'),
  start: async (folder) => {
    const port = await freePort();
    const root = await folderIn(folder, 'notebooks');
    const program = await startProgram(folder, '/usr/bin/jupyter-server', [
      '--allow-root',
      '--no-browser',
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--ServerApp.port_retries=0',
      `--ServerApp.token=${TOKEN}`,
      `--ServerApp.root_dir=${root}`,
    ]);
    const origin = `http://127.0.0.1:${port}`;
    const headers = { authorization: `token ${TOKEN}` };
    const api = directly(`${origin}/api`, headers);
    await program.up(async () => (await api.status('/status')) === 200);
    return {
      origin,
      headers,
      description: { file: 'jupyter-server.yaml', text: await readFile(DESCRIPTION, 'utf8') },
      deploy: [],
      files: {},
      credentials: [
        {
          args: ['--type', 'api_key', '--name', 'Authorization', '--in', 'header'],
          value: `token ${TOKEN}`,
        },
      ],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

const calls = (api: Direct): readonly Call[] => {
  const note = { type: 'file', format: 'text', content: 'buy milk' };
  const textOf = async (path: string) => at(await api(`/contents/${path}?content=1`), 'content');
  let checkpoint = '';
  return [
    {
      title: 'says how it is',
      tool: 'get_api_status',
      args: () => ({}),
      check: (answer) => assert.equal(at(answer.json(), 'kernels'), 0),
    },
    {
      title: 'saves a file',
      tool: 'put_api_contents_by_path',
      args: () => ({ path: 'todo.txt', body: note }),
      check: async () => assert.equal(await textOf('todo.txt'), 'buy milk'),
      instead: () => api('/contents/todo.txt', { method: 'PUT', body: note }),
    },
    {
      title: 'reads it',
      tool: 'get_api_contents_by_path',
      args: () => ({ path: 'todo.txt' }),
      check: (answer) => assert.equal(at(answer.json(), 'content'), 'buy milk'),
    },
    {
      title: 'keeps a checkpoint',
      tool: 'post_api_contents_by_path_checkpoints',
      args: () => ({ path: 'todo.txt' }),
      check: async () => {
        checkpoint = String(at(await api('/contents/todo.txt/checkpoints'), 0, 'id'));
        assert.equal(checkpoint, 'checkpoint');
      },
    },
    {
      title: 'lists checkpoints',
      tool: 'get_api_contents_by_path_checkpoints',
      args: () => ({ path: 'todo.txt' }),
      check: (answer) => assert.equal(at(answer.json(), 0, 'id'), checkpoint),
    },
    {
      title: 'renames a file',
      tool: 'patch_api_contents_by_path',
      args: () => ({ path: 'todo.txt', body: { path: 'done.txt' } }),
      check: async () => assert.equal(await textOf('done.txt'), 'buy milk'),
      instead: () => api('/contents/todo.txt', { method: 'PATCH', body: { path: 'done.txt' } }),
    },
    {
      title: 'lists its folder, whose path is empty',
      tool: 'get_api_contents_by_path',
      args: () => ({ path: '' }),
      check: (answer) => assert.equal(at(answer.json(), 'content', 0, 'name'), 'done.txt'),
    },
    {
      title: 'changes its configuration',
      tool: 'patch_api_config_by_section_name',
      args: () => ({ section_name: 'editor', body: { wrap: true } }),
      check: async () => assert.deepEqual(await api('/config/editor'), { wrap: true }),
    },
    {
      title: 'lists kernels',
      tool: 'get_api_kernels',
      args: () => ({}),
      check: async (answer) => assert.deepEqual(listAt(answer.json()), await api('/kernels')),
    },
    {
      title: 'deletes a file',
      tool: 'delete_api_contents_by_path',
      args: () => ({ path: 'done.txt' }),
      check: async () => assert.equal(await api.status('/contents/done.txt'), 404),
    },
  ];
};
