import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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

const PACKAGES = [
  '@sap/cds@10.1.1',
  '@cap-js/sqlite@3.1.1',
  '@cap-js/openapi@1.6.0',
  'express@4.22.1',
];

/** A shop of SAP's CAP, of npm, on SQLite: OData 4. CAP's own converter makes the OpenAPI 3.0 of its model. */
export const bookshop: RealApi = {
  name: 'CAP',
  install: async (cache) => void (await installNpm(cache, PACKAGES)),
  start: async (folder, cache) => {
    const modules = join(modulesFolder(cache, PACKAGES), 'node_modules');
    await symlink(modules, join(folder, 'node_modules'));
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const { stdout } = await promisify(execFile)(process.execPath, ['describe.js'], {
      cwd: folder,
    });
    const port = await freePort();
    const serve = [join(modules, '@sap/cds/bin/serve.js'), 'all', '--in-memory'];
    const program = await startProgram(folder, process.execPath, serve, { PORT: String(port) });
    const origin = `http://localhost:${port}`;
    const api = directly(`${origin}/odata/v4/catalog`);
    await program.up(async () => (await api.status('/Books')) === 200);
    return {
      origin,
      headers: {},
      description: { file: 'bookshop.json', text: stdout },
      deploy: [],
      files: {},
      credentials: [],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

const FILES = {
  'package.json': JSON.stringify({
    name: 'bookshop',
    private: true,
    cds: {
      requires: { auth: 'dummy', db: { kind: 'sqlite', credentials: { url: ':memory:' } } },
    },
  }),
  'db/schema.cds': `namespace shop;
    entity Books { key ID : Integer; title : String(100) @mandatory; stock : Integer default 0;
      price : Decimal(9,2); author : Association to Authors; }
    entity Authors { key ID : Integer; name : String(100) @mandatory;
      books : Association to many Books on books.author = $self; }`,
  'srv/catalog.cds': `using shop from '../db/schema';
    service CatalogService @(path:'/odata/v4/catalog') {
      entity Books as projection on shop.Books
        actions { action restock(amount : Integer @mandatory) returns Integer; };
      entity Authors as projection on shop.Authors;
      function cheaper(below : Integer) returns array of Books;
      action submitOrder(book : Integer @mandatory, quantity : Integer @mandatory) returns { stock : Integer };
    }`,
  'srv/catalog.js': `const cds = require('@sap/cds');
    module.exports = class extends cds.ApplicationService { init() {
      const { Books } = this.entities;
      const stock = async (id) => (await SELECT.one.from(Books, id).columns('stock')).stock;
      this.on('submitOrder', async ({ data: { book, quantity } }) => {
        await UPDATE(Books, book).with({ stock: { '-=': quantity } });
        return { stock: await stock(book) };
      });
      this.on('restock', async ({ params, data: { amount } }) => {
        const { ID } = params.at(-1);
        await UPDATE(Books, ID).with({ stock: { '+=': amount } });
        return stock(ID);
      });
      this.on('cheaper', ({ data: { below } }) => SELECT.from(Books).where({ price: { '<': below } }));
      return super.init();
    } };`,
  'describe.js': `const cds = require('@sap/cds');
    const { compile } = require('@cap-js/openapi');
    cds.load('*').then((model) =>
      process.stdout.write(JSON.stringify(compile(model, { service: 'CatalogService' }))));`,
};

const calls = (api: Direct): readonly Call[] => {
  const book = (id: number) => api(`/Books(${id})`);
  const idsOf = (json: unknown) => listAt(json, 'value').map((one) => at(one, 'ID'));
  const jane = { ID: 1, name: "Jane O'Hara" };
  const first = { ID: 7, title: 'Emma', stock: 3, price: 12.5, author_ID: 1 };
  return [
    {
      title: 'adds an author',
      tool: 'post_Authors',
      args: () => jane,
      check: async () => assert.equal(at(await api('/Authors(1)'), 'name'), jane.name),
      instead: () => api('/Authors', { method: 'POST', body: jane }),
    },
    {
      title: 'adds a book',
      tool: 'post_Books',
      args: () => first,
      check: async () => assert.equal(Number(at(await book(7), 'price')), 12.5),
      instead: () => api('/Books', { method: 'POST', body: first }),
    },
    {
      title: 'adds one by its author',
      tool: 'post_Authors_by_ID_books',
      args: () => ({ ID: 1, body: { ID: 8, title: 'Persuasion', stock: 1, price: '9.99' } }),
      check: async () => assert.equal(at(await book(8), 'author_ID'), 1),
      instead: () => api('/Books', { method: 'POST', body: { ID: 8, title: 'Persuasion' } }),
    },
    {
      title: 'reads one by its key, with what is behind it',
      tool: 'get_Books_by_ID',
      args: () => ({ ID: 7, expand: ['author'], select: ['title'] }),
      check: (answer) => assert.equal(at(answer.json(), 'author', 'name'), jane.name),
    },
    {
      title: 'finds by a filter, sorted and counted',
      tool: 'get_Books',
      args: () => ({
        filter: "author/name eq 'Jane O''Hara'",
        orderby: ['title desc'],
        count: true,
      }),
      check: (answer) => {
        assert.deepEqual(idsOf(answer.json()), [8, 7]);
        assert.equal(at(answer.json(), '@odata.count'), 2);
      },
    },
    {
      title: 'lists a page of chosen members',
      tool: 'get_Books',
      args: () => ({ select: ['ID'], top: 1, skip: 1, orderby: ['ID'] }),
      check: (answer) => assert.deepEqual(listAt(answer.json(), 'value'), [{ ID: 8 }]),
    },
    {
      title: 'changes one member',
      tool: 'patch_Books_by_ID',
      args: () => ({ ID: 7, price: 10 }),
      check: async () => {
        const changed = await book(7);
        assert.deepEqual([Number(at(changed, 'price')), at(changed, 'title')], [10, 'Emma']);
      },
    },
    {
      title: 'calls an action of one book',
      tool: 'post_Books_by_ID_CatalogService_restock',
      args: () => ({ ID: 7, amount: 5 }),
      check: async () => assert.equal(at(await book(7), 'stock'), 8),
      instead: () => api('/Books(7)', { method: 'PATCH', body: { stock: 8 } }),
    },
    {
      title: 'calls an action of the service',
      tool: 'post_submitOrder',
      args: () => ({ book: 7, quantity: 2 }),
      check: async () => assert.equal(at(await book(7), 'stock'), 6),
    },
    {
      title: 'calls a function with an argument in the query',
      tool: 'get_cheaper',
      args: () => ({ below: 10 }),
      check: (answer) => assert.deepEqual(idsOf(answer.json()), [8]),
    },
    {
      title: 'deletes a book',
      tool: 'delete_Books_by_ID',
      args: () => ({ ID: 8 }),
      check: async () => assert.equal(await api.status('/Books(8)'), 404),
    },
  ];
};
