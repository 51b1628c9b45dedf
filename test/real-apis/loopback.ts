import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installNpm, modulesFolder } from './install.ts';
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

const PACKAGES = ['@loopback/example-todo@6.0.0'];

/** The example of LoopBack 4, of npm, with its todos in a file. LoopBack makes the OpenAPI 3.0 of its models. */
export const loopback: RealApi = {
  name: 'LoopBack',
  install: async (cache) => void (await installNpm(cache, PACKAGES)),
  start: async (folder, cache) => {
    const app = join(modulesFolder(cache, PACKAGES), 'node_modules/@loopback/example-todo');
    await copyFile(join(app, 'data/db.json'), join(await folderIn(folder, 'data'), 'db.json'));
    const port = await freePort();
    const program = await startProgram(folder, process.execPath, [app], {
      HOST: '127.0.0.1',
      PORT: String(port),
    });
    const origin = `http://127.0.0.1:${port}`;
    const api = directly(origin);
    await program.up(async () => (await api.status('/todos')) === 200);
    return {
      origin,
      headers: {},
      description: { file: 'loopback.json', text: await api.text('/openapi.json') },
      deploy: [],
      files: {},
      credentials: [],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

const calls = (api: Direct): readonly Call[] => {
  const todo = (id: number) => api(`/todos/${id}`);
  const title = async (id: number) => at(await todo(id), 'title');
  return [
    {
      title: 'counts what there is',
      tool: 'TodoController_count',
      args: () => ({}),
      check: async (answer) => assert.deepEqual(answer.json(), await api('/todos/count')),
    },
    {
      title: 'counts by a condition',
      tool: 'TodoController_count',
      args: () => ({ where: { title: { like: 'destroy%' } } }),
      check: (answer) => assert.deepEqual(answer.json(), { count: 1 }),
    },
    {
      title: 'creates one',
      tool: 'TodoController_create',
      args: () => ({ body: { title: 'buy milk', desc: 'two litres' } }),
      check: async () => assert.equal(await title(5), 'buy milk'),
      instead: () => api('/todos', { method: 'POST', body: { title: 'buy milk' } }),
    },
    {
      title: 'reads it',
      tool: 'TodoController_findById',
      args: () => ({ id: 5 }),
      check: async (answer) => assert.deepEqual(answer.json(), await todo(5)),
    },
    {
      title: 'reads it with a choice of fields',
      tool: 'TodoController_findById',
      args: () => ({ id: 5, filter: { fields: { id: true, title: true } } }),
      check: (answer) => assert.deepEqual(answer.json(), { id: 5, title: 'buy milk' }),
    },
    {
      title: 'finds by a filter with order and limit',
      tool: 'TodoController_find',
      args: () => ({ filter: { order: ['id DESC'], limit: 2, fields: { id: true } } }),
      check: (answer) => assert.deepEqual(answer.json(), [{ id: 5 }, { id: 4 }]),
    },
    {
      title: 'finds by a condition on a member',
      tool: 'TodoController_find',
      args: () => ({ filter: { where: { title: 'buy milk' } } }),
      check: (answer) =>
        assert.deepEqual(
          listAt(answer.json()).map((one) => at(one, 'id')),
          [5],
        ),
    },
    {
      title: 'changes one member',
      tool: 'TodoController_updateById',
      args: () => ({ id: 5, body: { isComplete: true } }),
      check: async () => {
        const changed = await todo(5);
        assert.deepEqual([at(changed, 'title'), at(changed, 'isComplete')], ['buy milk', true]);
      },
    },
    {
      title: 'replaces one',
      tool: 'TodoController_replaceById',
      args: () => ({ id: 5, body: { title: 'buy bread' } }),
      check: async () => assert.deepEqual(await todo(5), { id: 5, title: 'buy bread' }),
      instead: () => api('/todos/5', { method: 'PUT', body: { id: 5, title: 'buy bread' } }),
    },
    {
      title: 'deletes one',
      tool: 'TodoController_deleteById',
      args: () => ({ id: 5 }),
      check: async () => assert.equal(await api.status('/todos/5'), 404),
    },
  ];
};
