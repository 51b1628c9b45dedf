import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLIENTS, type McpClient } from '../support/mcp/mcp-clients.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';
import {
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const MIB = 1024 * 1024;

/** With characters of every length, and of every kind of escape. */
const itemsOf = (length: number) => {
  const items = Array.from({ length }, (_, id) => ({
    id,
    name: `Žluťoučký kůň ${id} 馬 🐎 "quoted" \\ \n\t\u0001`,
    tags: ['ü', '€', '😀', 'plain text that goes on for a while'],
  }));
  return Buffer.from(JSON.stringify({ items }));
};
const pictureOf = (bytes: number) =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    Buffer.from(
      Uint8Array.from({ length: bytes }, (_, index) => (index * 31 + (index >> 8)) % 256),
    ),
  ]);
const ITEMS = itemsOf(80_000);
const LARGE_PICTURE = pictureOf(9 * MIB);
/** Just too long for one result, of which parts take 4 MiB. */
const MANY = itemsOf(34_000);
const PICTURE = pictureOf(4.5 * MIB);

const FEW = '{"items":[{"id":12345678901234567890}]}';
const ANSWERS: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  '/items': ['application/json', ITEMS],
  '/many': ['application/json', MANY],
  '/largePicture': ['image/png', LARGE_PICTURE],
  '/few': ['application/json', FEW],
  '/picture': ['image/png', PICTURE],
};

/** What an answer with items looks like. */
const responses = {
  200: {
    description: 'all',
    content: {
      'application/json': {
        schema: { type: 'object', properties: { items: { type: 'array' } }, required: ['total'] },
      },
    },
  },
};

const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Archive', version: '1' },
  paths: {
    '/items': { get: { operationId: 'listItems', responses } },
    '/many': { get: { operationId: 'listMany', responses } },
    '/few': { get: { operationId: 'listFew', responses } },
    '/picture': { get: { operationId: 'getPicture', responses: { 200: { description: 'it' } } } },
    '/largePicture': {
      get: { operationId: 'getLargePicture', responses: { 200: { description: 'it' } } },
    },
  },
});

let service: WholeService;
let target: TargetServer;
let published: PublishedServer;
/** The same with structured output. */
let structured: PublishedServer;

beforeAll(async () => {
  service = await startWholeService();
  target = await anHttpServer(({ url }, response) => {
    const [type, body] = ANSWERS[url ?? ''] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  const publication = {
    authMethod: 'none',
    apiBaseUrl: target.url,
    openapi: DESCRIPTION,
    answerTokenBudget: null,
  };
  const owner = await service.person();
  published = await service.publish(owner, publication);
  structured = await service.publish(owner, { ...publication, structuredOutput: 'on' });
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

interface Read {
  readonly contents: readonly { readonly text?: string; readonly blob?: string }[];
}

/** As a client does that follows what the text of the result says. */
const everything = async (client: McpClient, tool: string) => {
  const result = await client.callTool({ name: tool, arguments: {} });
  const text = result.content[0]?.text ?? '';
  const uris = text.match(/kept-answer:\S+/g) ?? [];
  const parts: Read['contents'][number][] = [];
  for (const uri of uris) parts.push(...((await client.readResource({ uri })) as Read).contents);
  return { result, shown: text.slice(0, text.lastIndexOf('\n\n[')), uris, parts };
};

const isIdentical = async (client: McpClient, tool: string, expected: Buffer) => {
  const { result, shown, parts } = await everything(client, tool);
  expect(result.isError).not.toBe(true);
  const read = parts.map(({ text, blob = '' }) =>
    text === undefined ? Buffer.from(blob, 'base64') : Buffer.from(text),
  );
  const isText = parts.some(({ text }) => text !== undefined);
  return Buffer.concat([...(isText ? [Buffer.from(shown)] : []), ...read]).equals(expected);
};

test('10 MB of JSON and an image of 9 MB come to their end, identical byte for byte', async () => {
  const [[, connect]] = CLIENTS;
  const client = await connect(published.messagesUrl);

  expect(ITEMS.length).toBeGreaterThan(10_000_000);
  expect(await isIdentical(client, 'listItems', ITEMS)).toBe(true);
  expect(await isIdentical(client, 'getLargePicture', LARGE_PICTURE)).toBe(true);
  await client.close();
});

describe.each(CLIENTS)('%s', (_, connect) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(published.messagesUrl);
  });
  afterAll(() => client.close());

  test('reads JSON and an image that are too long to their end, identical byte for byte', async () => {
    expect(await isIdentical(client, 'listMany', MANY)).toBe(true);
    expect(await isIdentical(client, 'getPicture', PICTURE)).toBe(true);
  });

  test('takes structured results, whole and cut, and none where the owner wants none', async () => {
    const typed = await connect(structured.messagesUrl);
    await typed.listTools();
    const few = await typed.callTool({ name: 'listFew' });
    const { result, uris } = await everything(typed, 'listMany');
    await typed.close();

    expect(few).toMatchObject({
      content: [{ type: 'text', text: FEW }],
      structuredContent: JSON.parse(FEW),
    });
    expect(result).toMatchObject({ structuredContent: { _parts: uris } });
    expect(await client.callTool({ name: 'listFew' })).not.toHaveProperty('structuredContent');
  });

  test('gets an error for an unknown part of an answer', async () => {
    const uri = `kept-answer://${'0'.repeat(64)}/1`;

    await expect(client.readResource({ uri })).rejects.toMatchObject({ data: { uri } });
  });

  test('does not see the parts in the list of resources', async () => {
    const { uris } = await everything(client, 'listMany');

    expect(uris).not.toEqual([]);
    expect(await client.listResources()).toMatchObject({ resources: [] });
  });
});
