import * as fc from 'fast-check';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { componentSchemas } from './components.ts';
import {
  always,
  isModern,
  isSwagger,
  joined,
  type Node,
  oneOf,
  type Version,
  VERSIONS,
} from './dialect.ts';
import { pathItem } from './operations.ts';

/**
 * Valid descriptions of APIs, in all dialects, of everything that they can say about a request.
 * Operations have names of their own where they have any; all else may repeat.
 */
export const description: fc.Arbitrary<Node> = oneOf(...VERSIONS).chain((version) =>
  joined(
    always({
      ...(isSwagger(version) ? { swagger: '2.0' } : { openapi: version }),
      info: { title: 'Generated', version: '1' },
    }),
    servers(version),
    oneOf<Node>({}, { security: [{ header: [] }, { basic: [] }] }),
    fc
      .tuple(items(version), componentSchemas(version))
      .map(([paths, schemas]) => assembled(version, paths, schemas)),
  ),
);

const items = (version: Version): fc.Arbitrary<Node> =>
  fc
    .integer({ min: 1, max: 4 })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_, index) => pathItem(version, index))),
    )
    .map((entries) => withUniqueIds(Object.fromEntries(entries)));

/** Every second parameter and body is moved to where a `$ref` finds it, and the first path item. */
const assembled = (version: Version, paths: Node, schemas: Node): Node => {
  const parts: Record<string, Record<string, Json>> = { parameters: {}, requestBodies: {} };
  const at = isSwagger(version) ? '#' : '#/components';
  let count = 0;
  const moved = (kind: 'parameters' | 'requestBodies', node: Json): Json => {
    count += 1;
    if (count % 2 === 1) return node;
    Object.assign(parts[kind] ?? {}, { [`Part-${count}`]: node });
    return { $ref: `${at}/${kind}/Part-${count}` };
  };
  const operations = ofAll(paths, (operation) => {
    const { parameters, requestBody } = operation;
    return {
      ...operation,
      ...(Array.isArray(parameters) && {
        parameters: parameters.map((one) => moved('parameters', one)),
      }),
      ...(requestBody !== undefined && { requestBody: moved('requestBodies', requestBody) }),
    };
  });
  const { parameters = {}, requestBodies = {} } = parts;
  if (isSwagger(version)) {
    const securityDefinitions = { ...KEYS, basic: { type: 'basic' } };
    return { paths: operations, parameters, definitions: schemas, securityDefinitions };
  }
  const securitySchemes = { ...KEYS, basic: { type: 'http', scheme: 'basic' } };
  const components = { schemas, parameters, requestBodies, securitySchemes };
  if (!isModern(version)) return { paths: operations, components };
  const [[first = '', item = {}] = []] = Object.entries(operations);
  return {
    paths: { ...operations, [first]: { $ref: '#/components/pathItems/First' } },
    components: { ...components, pathItems: { First: item } },
    webhooks: { happened: { post: { responses: { 200: { description: 'heard' } } } } },
  };
};

const KEYS: Node = {
  inQuery: { type: 'apiKey', name: 'key', in: 'query' },
  header: { type: 'apiKey', name: 'X-Key', in: 'header' },
};

const ofAll = (paths: Node, change: (operation: Node) => Node): Node =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item as Node).map(([key, value]) =>
          key === 'parameters' ? [key, value] : [key, change(value as Node)],
        ),
      ),
    ]),
  );

const withUniqueIds = (paths: Node): Node => {
  const taken = new Set<unknown>();
  return ofAll(paths, ({ operationId, ...rest }) => {
    if (operationId === undefined || taken.has(operationId)) return rest;
    taken.add(operationId);
    return { operationId, ...rest };
  });
};

const servers = (version: Version): fc.Arbitrary<Node> =>
  isSwagger(version)
    ? oneOf<Node>(
        { host: 'api.example.com', basePath: '/v1', schemes: ['https'] },
        { host: 'api.example.com' },
      )
    : oneOf<Node>({ servers: [{ url: 'https://api.example.com/v1/' }] }, { servers: [VARIABLE] });

const VARIABLE: Node = {
  url: 'https://{region}.example.com:{port}/{path}',
  variables: {
    region: { default: 'eu', enum: ['eu', 'us'] },
    port: { default: '8443' },
    path: { default: 'v2' },
  },
};
