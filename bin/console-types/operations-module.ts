import { type JsonSchema, typesOf } from './type-of.ts';

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
  const types = typesOf(all.flatMap(({ operation }) => schemasOf(operation)));
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
    ...all.map(
      ({ path, operation }) => `${operation.operationId}: ${factsOf(path, operation, types.of)};`,
    ),
    '}',
    ...types.aliases,
  ].join('\n');
};

/** What an operation is sent and answers, each with the name of its type. */
const schemasOf = (operation: Operation): readonly (readonly [string, JsonSchema])[] => {
  const name = operation.operationId.replace(/^./, (letter) => letter.toUpperCase());
  const body = bodyOf(operation);
  return [
    ...(body ? [[`${name}Body`, body] as const] : []),
    ...answersOf(operation).flatMap((answer) =>
      typeof answer === 'object' ? [[`${name}Answer`, answer] as const] : [],
    ),
  ];
};

const factsOf = (
  path: string,
  operation: Operation,
  typeOf: (schema: JsonSchema) => string,
): string => {
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  const query = (operation.parameters ?? []).filter((one) => one.in === 'query');
  const member = ({ name, required, schema }: Parameter): string =>
    `${name}${required ? '' : '?'}: ${typeOf(schema)}${required ? '' : ' | undefined'};`;
  const body = bodyOf(operation);
  const answers = answersOf(operation).map((answer) =>
    typeof answer === 'object' ? typeOf(answer) : answer,
  );
  return [
    '{',
    ...(places.length > 0 ? [`path: { ${places.join('; ')} };`] : []),
    ...(query.length > 0 ? [`query: { ${query.map(member).join(' ')} };`] : []),
    ...(body ? [`body: ${typeOf(body)};`] : []),
    `answer: ${[...new Set(answers)].join(' | ') || 'undefined'};`,
    '}',
  ].join('\n');
};

const bodyOf = ({ requestBody }: Operation): JsonSchema | undefined =>
  requestBody?.content['application/json']?.schema;

/** The schemas of JSON; `string` for text, `undefined` for nothing. */
const answersOf = ({ responses }: Operation): readonly (JsonSchema | 'string' | 'undefined')[] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(
      ([, { content }]) =>
        content?.['application/json']?.schema ?? (content ? 'string' : 'undefined'),
    );
