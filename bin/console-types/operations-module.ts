import { type JsonSchema, typeOf } from './type-of.ts';

/** An OpenAPI 3.1 document, as far as types are made of it. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * The source of a module: each operation's method and path, and the types of what is sent and answered.
 * What the console calls is named by operation, so that it can call nothing that is not described.
 */
export const operationsModule = ({ paths }: OpenApi): string => {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method: method.toUpperCase(), operation }] : [];
    }),
  );
  return [
    '/** Made by `npm run console-types` of the description at /v1/mcp-management/openapi.json. */',
    'export const OPERATIONS = {',
    ...all.map(
      ({ path, method, operation }) =>
        `  ${operation.operationId}: [${JSON.stringify(method)}, ${JSON.stringify(path)}],`,
    ),
    '} as const;',
    '',
    'export interface Operations {',
    ...all.map(({ path, operation }) => `${operation.operationId}: ${factsOf(path, operation)};`),
    '}',
  ].join('\n');
};

const factsOf = (path: string, operation: Operation): string => {
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  const query = (operation.parameters ?? []).filter((one) => one.in === 'query');
  const body = operation.requestBody?.content['application/json']?.schema;
  return [
    '{',
    `path: ${places.length > 0 ? `{ ${places.join('; ')} }` : 'undefined'};`,
    `query: ${query.length > 0 ? `{ ${query.map(member).join(' ')} }` : 'undefined'};`,
    `body: ${body ? typeOf(body) : 'undefined'};`,
    `answer: ${answerOf(operation)};`,
    '}',
  ].join('\n');
};

const member = ({ name, required, schema }: Parameter): string =>
  `${name}${required ? '' : '?'}: ${typeOf(schema)}${required ? '' : ' | undefined'};`;

const answerOf = ({ responses }: Operation): string => {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = good.map(([, { content }]) => {
    const schema = content?.['application/json']?.schema;
    if (schema) return typeOf(schema);
    return content ? 'string' : 'undefined';
  });
  return [...new Set(types)].join(' | ') || 'undefined';
};
