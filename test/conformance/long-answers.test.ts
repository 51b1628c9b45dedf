import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLIENTS, type McpClient } from '../support/mcp-clients.ts';
import { anHttpServer, type TargetServer } from '../support/target-server.ts';
import {
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/whole-service.ts';

const MIB = 1024 * 1024;

/** 10 MB with characters of every length, and of every kind of escape. */
const ITEMS = JSON.stringify({
  items: Array.from({ length: 80_000 }, (_, id) => ({
    id,
    name: `Žluťoučký kůň ${id} 馬 🐎 "quoted" \\ \n\t\u0001`,
    tags: ['ü', '€', '😀', 'plain text that goes on for a while'],
  })),
});
const PICTURE = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.from(
    Uint8Array.from({ length: 9 * MIB }, (_, index) => (index * 31 + (index >> 8)) % 256),
  ),
]);

const FEW = '{"items":[{"id":12345678901234567890}]}';
const ANSWERS: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  '/items': ['application/json', ITEMS],
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
    '/few': { get: { operationId: 'listFew', responses } },
    '/picture': { get: { operationId: 'getPicture', responses: { 200: { description: 'it' } } } },
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

describe.each(CLIENTS)('%s', (_, connect) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(published.messagesUrl);
  });
  afterAll(() => client.close());

  test('reads 10 MB of JSON to its end, identical byte for byte', async () => {
    const { result, shown, parts } = await everything(client, 'listItems');

    expect(Buffer.byteLength(ITEMS)).toBeGreaterThan(10_000_000);
    expect(result.isError).not.toBe(true);
    const read = Buffer.from(shown + parts.map(({ text }) => text).join(''));
    expect(read.equals(Buffer.from(ITEMS))).toBe(true);
  });

  test('reads an image of 9 MB, identical byte for byte', async () => {
    const { result, parts } = await everything(client, 'getPicture');

    expect(result.isError).not.toBe(true);
    const read = parts.map(({ blob = '' }) => Buffer.from(blob, 'base64'));
    expect(Buffer.concat(read).equals(PICTURE)).toBe(true);
  });

  test('takes structured results, whole and cut, and none where the owner wants none', async () => {
    const typed = await connect(structured.messagesUrl);
    await typed.listTools();
    const few = await typed.callTool({ name: 'listFew' });
    const { result, uris } = await everything(typed, 'listItems');
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
    await everything(client, 'listItems');

    expect(await client.listResources()).toMatchObject({ resources: [] });
  });
});
