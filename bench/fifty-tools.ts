/** As many as a deployment may have by default. */
export const TOOLS = 50;

/** What each tool takes, in words of OpenAPI. */
const PARAMETERS = [
  { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
  {
    name: 'verbose',
    in: 'query',
    description: 'Whether to say more.',
    schema: { type: 'boolean' },
  },
  {
    name: 'tag',
    in: 'query',
    description: 'Only what is tagged so.',
    schema: { type: 'string', maxLength: 100 },
  },
  {
    name: 'order',
    in: 'query',
    description: 'What to sort by.',
    schema: { type: 'string', enum: ['name', 'price', 'date'] },
  },
];

/** A description of fifty operations `GET /items<n>/{id}`. */
export const description = (serverUrl: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Fifty tools', version: '1' },
    servers: [{ url: serverUrl }],
    paths: Object.fromEntries(
      Array.from({ length: TOOLS }, (_, index) => [
        `/items${index}/{id}`,
        {
          get: {
            operationId: `getItem${index}`,
            summary: `Get item ${index}`,
            parameters: PARAMETERS,
            responses: { 200: { description: 'The item.' } },
          },
        },
      ]),
    ),
  });

/** What every measured call asks for. */
export const CALL = { name: 'getItem7', arguments: { id: 7, verbose: true, tag: 'new' } } as const;

/** The same as a request that needs no handshake. */
export const modernRpc = (method: string, params: object = {}): string =>
  rpc(method, {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  });

export const rpc = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
