import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLIENTS, type McpClient } from '../support/mcp/mcp-clients.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const OK = { responses: { 200: { description: 'fine' } } };
const JSON_TEXT = 'The filters, encoded as JSON.';

/** What APIs that are in wide use say of themselves. */
const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Containers', version: '1' },
  paths: {
    '/images': {
      get: {
        ...OK,
        operationId: 'imageList',
        parameters: [
          { name: 'filters', in: 'query', description: JSON_TEXT, schema: { type: 'string' } },
          { name: 'name', in: 'query', schema: { type: 'string' } },
        ],
      },
      post: {
        ...OK,
        operationId: 'imageCreate',
        requestBody: {
          content: {
            'text/plain': { schema: { type: 'string' } },
            'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
          },
        },
      },
    },
    '/files': {
      post: {
        ...OK,
        operationId: 'createFile',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['title'],
                properties: { title: { type: 'string' }, pages: { type: 'integer' } },
              },
            },
          },
        },
      },
    },
  },
};

/** Says that the same body goes as a form. */
const AS_FORM = {
  overlay: '1.1.0',
  info: { title: 'Forms', version: '1' },
  actions: [
    {
      target: "$.paths['/files'].post.requestBody",
      update: { 'x-media-type': 'multipart/form-data' },
    },
  ],
};

/** Says that it is another body, with a file. */
const OTHER_CONTENT = {
  overlay: '1.0.0',
  info: { title: 'Forms', version: '1' },
  actions: [
    { target: "$.paths['/files'].post.requestBody.content['application/json']", remove: true },
    {
      target: "$.paths['/files'].post.requestBody.content",
      update: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: {
              title: { type: 'string' },
              file: { type: 'string', format: 'binary' },
            },
          },
        },
      },
    },
  ],
};

let service: WholeService;
let target: TargetServer;
let session: string;
const clients: McpClient[] = [];

beforeAll(async () => {
  target = await anHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{}');
  });
  service = await startWholeService({ active_deployments_per_user: 100 });
  const { email, password } = await service.person();
  const { access_token: token = '' } = await send('/sessions', { email, password });
  session = token;
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await service.stop();
  await target[Symbol.asyncDispose]();
});

const send = async (path: string, body: object): Promise<{ [member: string]: string }> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(session && { authorization: `Bearer ${session}` }),
    },
    body: JSON.stringify(body),
  });
  const said = (await answer.json()) as { [member: string]: string };
  if (!answer.ok) throw new Error(JSON.stringify(said));
  return said;
};

/** A client of the description with these overlays. */
const clientOf = async (overlays: readonly object[]): Promise<McpClient> => {
  const { mcp_url: url = '' } = await send('/deployments', {
    openapi: DESCRIPTION,
    api_base_url: target.url,
    mcp_auth_method: 'none',
    overlays,
  });
  const [, connect] = CLIENTS[0];
  const client = await connect(url);
  clients.push(client);
  return client;
};

/** What arrived at the API of a call. @throws Error if the call was refused */
const arrived = async (client: McpClient, name: string, args: Record<string, unknown>) => {
  const before = target.requests.length;
  const { isError, content } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(content[0]?.text);
  expect(target.requests).toHaveLength(before + 1);
  return target.requests[before]!;
};

describe('an API whose description says less than it takes', () => {
  let client: McpClient;
  beforeAll(async () => {
    client = await clientOf([]);
  });

  test('gets an object as its JSON where an argument is JSON in text', async () => {
    const { url } = await arrived(client, 'imageList', { filters: { reference: ['a:1', 'b'] } });

    expect(new URL(url!, target.url).searchParams.get('filters')).toBe('{"reference":["a:1","b"]}');
  });

  test('gets the text as it is where a model has made JSON of the object', async () => {
    const { url } = await arrived(client, 'imageList', { filters: '{"dangling": ["true"]}' });

    expect(new URL(url!, target.url).searchParams.get('filters')).toBe('{"dangling": ["true"]}');
  });

  test('gets no object where an argument is mere text', async () => {
    await expect(arrived(client, 'imageList', { name: { a: 1 } })).rejects.toThrow(
      '/name must be a string',
    );
  });

  test('gets bytes where it takes text or bytes', async () => {
    const data = Buffer.from([0, 255, 128, 10]);
    const received = await arrived(client, 'imageCreate', {
      body: { data: data.toString('base64') },
    });

    expect(received.headers['content-type']).toBe('application/octet-stream');
    expect(received.headers['content-length']).toBe('4');
  });

  test('gets text where it takes text or bytes', async () => {
    const received = await arrived(client, 'imageCreate', { body: 'FROM scratch' });

    expect([received.headers['content-type'], received.body]).toEqual([
      expect.stringMatching(/^text\/plain/),
      'FROM scratch',
    ]);
  });

  test('gets JSON where it says JSON', async () => {
    const received = await arrived(client, 'createFile', { title: 'Notes', pages: 2 });

    expect([received.headers['content-type'], received.body]).toEqual([
      'application/json',
      '{"title":"Notes","pages":2}',
    ]);
  });
});

describe('an overlay', () => {
  test('makes a form of a body that is described as JSON', async () => {
    const client = await clientOf([AS_FORM]);
    const received = await arrived(client, 'createFile', { title: 'Notes', pages: 2 });

    expect(await fieldsOf(received)).toEqual({ title: 'Notes', pages: '2' });
  });

  test('puts another content in its place, with a file', async () => {
    const client = await clientOf([OTHER_CONTENT]);
    const data = Buffer.from('one\ntwo\n').toString('base64');
    const file = { data, filename: 'notes.txt', contentType: 'text/plain' };
    const received = await arrived(client, 'createFile', { title: 'Notes', file });

    expect(await fieldsOf(received)).toEqual({
      title: 'Notes',
      file: ['notes.txt', 'text/plain', 'one\ntwo\n'],
    });
    await expect(arrived(client, 'createFile', { title: 'Notes' })).rejects.toThrow(
      '/file is required',
    );
  });
});

/** Of a form, as Node reads it: texts, and of files their names, types and texts. */
const fieldsOf = async ({ headers, body }: TargetServer['requests'][number]) => {
  const type = headers['content-type'] ?? '';
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const fields = [...form].map(async ([name, value]) =>
    typeof value === 'string'
      ? ([name, value] as const)
      : ([name, [value.name, value.type, await value.text()]] as const),
  );
  return Object.fromEntries(await Promise.all(fields));
};
