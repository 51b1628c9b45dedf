import type {
  IndexedTool,
  Operation,
  OperationParameter,
} from '../../../layers/openapi/tool-index.ts';

/** A tool that sends GET to a path of the target; `over` says what else it does. */
export const aTool = (
  name: string,
  serverUrl: string,
  over: { readonly schema?: object; readonly operation?: Partial<Operation> } = {},
): IndexedTool => ({
  name,
  listed: JSON.stringify({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: {}, ...over.schema },
    annotations: { title: `The ${name}` },
  }),
  operation: {
    method: 'GET',
    path: `/${name}`,
    serverUrl,
    parameters: [],
    accept: ['application/json'],
    ...over.operation,
  },
});

export const aParameter = (
  name: string,
  place: OperationParameter['in'],
  required = false,
): OperationParameter => ({
  argument: name,
  name,
  in: place,
  required,
  style: place === 'query' ? 'form' : 'simple',
  explode: false,
  allowReserved: false,
});

/** What the tests call: a tool for each way that a target answers. */
export const tools = (serverUrl: string): readonly IndexedTool[] => [
  aTool('getPet', serverUrl, {
    schema: {
      properties: {
        id: { type: 'integer', description: 'Which pet <b>it</b> is' },
        verbose: { type: 'boolean' },
        tag: { type: 'string', enum: ['dog', 'cat'] },
      },
      required: ['id'],
    },
    operation: {
      path: '/echo/pets/{id}',
      parameters: [
        aParameter('id', 'path', true),
        aParameter('verbose', 'query'),
        aParameter('tag', 'query'),
      ],
    },
  }),
  aTool('addPet', serverUrl, {
    schema: { properties: { name: { type: 'string' }, age: {} }, required: ['name'] },
    operation: {
      method: 'POST',
      path: '/echo/pets',
      body: {
        required: true,
        mediaType: 'application/json',
        form: 'json',
        source: {
          kind: 'properties',
          properties: [
            { argument: 'name', name: 'name' },
            { argument: 'age', name: 'age' },
          ],
          additional: true,
        },
      },
    },
  }),
  aTool('fail', serverUrl, {
    schema: { properties: { status: { type: 'integer' } }, required: ['status'] },
    operation: { path: '/status/{status}', parameters: [aParameter('status', 'path', true)] },
  }),
  aTool('image', serverUrl),
  aTool('nothing', serverUrl),
  aTool('large', serverUrl),
  aTool('hangUp', serverUrl),
  aTool('private', 'http://10.0.0.1'),
  aTool('closed', 'http://127.0.0.1:1'),
  // Names that every object inherits are names like any other.
  aTool('constructor', serverUrl, { operation: { path: '/echo/constructor' } }),
];
