import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLIENTS, type McpClient, speaking } from '../support/mcp/mcp-clients.ts';
import { type Content, seed } from '../support/aws/data-folder.ts';
import { RECORDED_CLIENTS, replayed } from '../support/mcp/recorded-clients.ts';
import { type RunningService, startService } from '../support/service/service.ts';

let service: RunningService;

const CONTENT: Content = {
  resources: [
    {
      name: 'hours',
      uri: 'file:///hours.txt',
      title: 'Opening hours',
      mimeType: 'text/plain',
      content: 'Nine to five.',
      encoding: 'text',
    },
    {
      name: 'shelf',
      uri: 'file:///shelves/{letter}.txt',
      title: 'A shelf',
      content: 'Books under a letter.',
      encoding: 'text',
    },
    {
      name: 'logo',
      uri: 'file:///logo.png',
      mimeType: 'image/png',
      content: 'iVBORw==',
      encoding: 'base64',
    },
  ],
  prompts: [
    {
      name: 'recommend',
      description: 'Asks for a book',
      arguments: [
        { name: 'reader', required: true, values: ['Ann', 'Anton', 'Joan'] },
        { name: 'mood', required: false },
      ],
      template: 'A book for {{reader | uppercase}}{{#if mood}}, who is {{mood}}{{/if}}.',
    },
  ],
};

beforeAll(async () => {
  const first = await startService();
  service = await first.restart((dataFolder) => seed(dataFolder, 'sample', CONTENT));
});
afterAll(() => service.stop());

const FORMS = [
  ['/messages', '/messages'],
  ['the base URL', ''],
  ['the base URL with a slash', '/'],
] as const;

describe.each(CLIENTS)('%s', (_client, connect, era) => {
  describe.each(FORMS)('at %s', (_form, ending) => {
    let client: McpClient;
    const urlOf = () => `${service.baseUrl}/mcp-router/sample${ending}`;

    beforeAll(async () => {
      client = await connect(urlOf());
    });
    afterAll(() => client.close());

    const call = (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: args });

    test('reads the name and capabilities of the server', () => {
      expect(client.getServerVersion()).toEqual({
        name: 'sample-mcp-server',
        version: '0.1.0',
        title: expect.any(String),
        description: expect.any(String),
      });
      expect(client.getInstructions()).toMatch(/book/i);
      expect(client.getServerCapabilities()).toMatchObject({
        tools: {},
        resources: {},
        prompts: {},
        ...(era === 'handshake' && { logging: {} }),
      });
    });

    test('lists the tools', async () => {
      const { tools } = await client.listTools();

      expect(tools.map(({ name }) => name)).toEqual([
        'listBooks',
        'addBook',
        'getBook',
        'replaceBook',
        'removeBook',
        'getBookCover',
        'placeOrder',
      ]);
      expect(tools[2]).toMatchObject({
        name: 'getBook',
        inputSchema: {
          type: 'object',
          properties: { book_id: { type: 'integer' } },
          required: ['book_id'],
        },
        annotations: { readOnlyHint: true },
      });
    });

    test('calls a tool with a query argument', async () => {
      const { content, isError } = await call('listBooks', { genre: 'mystery', limit: 1 });

      expect(isError).not.toBe(true);
      expect(content).toHaveLength(1);
      expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ books: [{ genre: 'mystery' }] });
    });

    test('calls a tool with a path argument', async () => {
      const { content } = await call('getBook', { book_id: 1 });
      expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ id: 1 });
    });

    test('calls a tool with a body', async () => {
      const book = { title: 'Ünder the Läw', author: 'A. N. Other', genre: 'mystery', price: 9.5 };

      const { content } = await call('addBook', book);

      expect(JSON.parse(content[0]?.text ?? '')).toMatchObject(book);
    });

    test('gets an error of the target API as a result with isError', async () => {
      const { content, isError } = await call('getBook', { book_id: 999_999 });

      expect(isError).toBe(true);
      expect(content[0]?.text).toMatch(/^HTTP 404/);
    });

    test('gets an image of the target API as image content', async () => {
      const { content } = await call('getBookCover', { book_id: 1 });

      expect(content).toMatchObject([{ type: 'image', mimeType: 'image/png' }]);
      expect(
        Buffer.from(content[0]?.data ?? '', 'base64')
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
    });

    test('gets a result with isError that names the invalid argument', async () => {
      // All of them speak 2025-11-25 at least.
      expect(await call('getBook', { book_id: 'first' })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('/book_id must be an integer') }],
      });
    });

    test('gets an error for an unknown tool', async () => {
      await expect(call('getMovie')).rejects.toMatchObject({ code: -32602 });
    });

    test('lists and reads resources', async () => {
      expect(await client.listResources()).toMatchObject({
        resources: [
          {
            uri: 'file:///hours.txt',
            name: 'hours',
            title: 'Opening hours',
            mimeType: 'text/plain',
          },
          { uri: 'file:///logo.png', name: 'logo' },
        ],
      });
      expect(await client.readResource({ uri: 'file:///hours.txt' })).toMatchObject({
        contents: [{ uri: 'file:///hours.txt', mimeType: 'text/plain', text: 'Nine to five.' }],
      });
      expect(await client.readResource({ uri: 'file:///logo.png' })).toMatchObject({
        contents: [{ uri: 'file:///logo.png', mimeType: 'image/png', blob: 'iVBORw==' }],
      });
    });

    test('lists and reads resource templates', async () => {
      expect(await client.listResourceTemplates()).toMatchObject({
        resourceTemplates: [{ uriTemplate: 'file:///shelves/{letter}.txt', name: 'shelf' }],
      });
      expect(await client.readResource({ uri: 'file:///shelves/b.txt' })).toMatchObject({
        contents: [{ uri: 'file:///shelves/b.txt', text: 'Books under a letter.' }],
      });
    });

    test('gets an error for an unknown resource', async () => {
      // Not the code: the newer client shows -32002 as the -32602 that newer protocols have for it.
      await expect(client.readResource({ uri: 'file:///none' })).rejects.toMatchObject({
        data: { uri: 'file:///none' },
      });
    });

    test('lists and renders prompts', async () => {
      expect(await client.listPrompts()).toMatchObject({
        prompts: [
          {
            name: 'recommend',
            arguments: [
              { name: 'reader', required: true },
              { name: 'mood', required: false },
            ],
          },
        ],
      });
      expect(
        await client.getPrompt({
          name: 'recommend',
          arguments: { reader: 'Ann', mood: '{{sad}}' },
        }),
      ).toMatchObject({
        description: 'Asks for a book',
        messages: [
          { role: 'user', content: { type: 'text', text: 'A book for ANN, who is {{sad}}.' } },
        ],
      });
    });

    test('completes what somebody types', async () => {
      const ref = { type: 'ref/prompt', name: 'recommend' } as const;
      const complete = (name: string, value: string) =>
        client.complete({ ref, argument: { name, value } });

      expect(client.getServerCapabilities()).toMatchObject({ completions: {} });
      expect(await complete('reader', 'an')).toMatchObject({
        completion: { values: ['Ann', 'Anton', 'Joan'], total: 3, hasMore: false },
      });
      expect(await complete('mood', '')).toMatchObject({ completion: { values: [] } });
    });

    if (era === 'modern') return;
    test('pings and sets the log level', async () => {
      expect(await client.ping()).toEqual({});
      expect(await client.setLoggingLevel('warning')).toEqual({});
    });
  });
});

describe.each(['2025-03-26', '2025-06-18'])('a client that knows MCP %s alone', (version) => {
  test('lists the tools, calls one, reads a resource, and gets faults of arguments as errors', async () => {
    const client = await speaking(version)(`${service.baseUrl}/mcp-router/sample/messages`);

    expect((await client.listTools()).tools).toHaveLength(7);
    const called = await client.callTool({ name: 'getBook', arguments: { book_id: 1 } });
    expect(JSON.parse(called.content[0]?.text ?? '')).toMatchObject({ id: 1 });
    expect(await client.readResource({ uri: 'file:///hours.txt' })).toMatchObject({
      contents: [{ text: 'Nine to five.' }],
    });
    await expect(
      client.callTool({ name: 'getBook', arguments: { book_id: 'first' } }),
    ).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });
});

describe('clients of all kinds at one address', () => {
  const versions = ['2025-03-26', '2025-06-18'].map((version) => speaking(version));
  const connects = [...CLIENTS.map(([, connect]) => connect), ...versions];

  test('are served at once, fifty of them, each its own answers', async () => {
    const url = `${service.baseUrl}/mcp-router/sample/messages`;
    const served = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const client = await connects[index % connects.length]!(url);
        const book_id = 1 + (index % 5);
        const [{ tools }, { content }] = await Promise.all([
          client.listTools(),
          client.callTool({ name: 'getBook', arguments: { book_id } }),
        ]);
        await client.close();
        return [tools.length, JSON.parse(content[0]?.text ?? '').id, book_id] as const;
      }),
    );

    expect(served.filter(([tools, id, asked]) => tools !== 7 || id !== asked)).toEqual([]);
  });
});

describe('the recorded requests of real clients', () => {
  const ANSWERS: Readonly<Record<string, (result: Record<string, unknown>) => void>> = {
    'server/discover': (result) =>
      expect(result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'] }),
    initialize: ({ protocolVersion }) => expect(protocolVersion).toMatch(/^2025-(?:06-18|11-25)$/),
    'tools/list': ({ tools }) => expect(tools).toHaveLength(7),
    'tools/call': ({ content, isError }) => {
      expect(isError).not.toBe(true);
      expect(content).toHaveLength(1);
    },
    'prompts/list': ({ prompts }) => expect(prompts).toHaveLength(1),
    'resources/list': ({ resources }) => expect(resources).toHaveLength(2),
    ping: (result) => expect(result).toEqual({}),
    'logging/setLevel': (result) => expect(result).toEqual({}),
  };

  test.each(RECORDED_CLIENTS.map((one) => [one.client, one.requests] as const))(
    'of %s are all answered as it needs it',
    async (_, requests) => {
      const url = `${service.baseUrl}/mcp-router/sample/messages`;
      for (const request of requests) {
        const { status, text, message } = await replayed(url, request);
        const { method = '', id } = request.body ?? {};
        if (request.method === 'GET') {
          // A look without the one type of a stream is told that there is none.
          const listens = request.headers['accept']?.includes('text/event-stream');
          expect([status, status === 200 && text]).toEqual(
            listens ? [200, 'retry: 3600000\n\n'] : [405, false],
          );
        } else if (id === undefined) {
          expect([status, text]).toEqual([202, '']);
        } else {
          expect([status, message.id, message.error]).toEqual([200, id, undefined]);
          expect(message.result.nextCursor).toBeUndefined();
          ANSWERS[method]?.(message.result);
          expect(Object.keys(ANSWERS)).toContain(method);
        }
      }
    },
  );
});

describe('after a restart of the service', () => {
  test('each client goes on, and connects again', async () => {
    const url = `${service.baseUrl}/mcp-router/sample/messages`;
    const clients = CLIENTS.map(([name, connect]) => ({ name, connect }));
    const before = await Promise.all(
      clients.map(async ({ name, connect }) => {
        const client = await connect(url);
        return { name, client, tools: (await client.listTools()).tools };
      }),
    );

    service = await service.restart();

    for (const { name, client, tools } of before) {
      expect([name, (await client.listTools()).tools]).toEqual([name, tools]);
      await client.close();
    }
    for (const { name, connect } of clients) {
      const client = await connect(url);
      const { isError } = await client.callTool({ name: 'getBook', arguments: { book_id: 2 } });
      expect([name, isError ?? false]).toEqual([name, false]);
      await client.close();
    }
  });
});
