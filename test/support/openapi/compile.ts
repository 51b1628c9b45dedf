import {
  type CompiledTools,
  type CompileOptions,
  compileTools,
} from '../../../layers/openapi/compile-tools.ts';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import type { CompiledTool, Operation } from '../../../layers/openapi/tool-index.ts';
import { aDescription, anOperation, read } from './intake.ts';
import type { ModelTool } from '../../../layers/openapi/model-apis/rules.ts';

export interface Tool extends ModelTool {
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly operation: Operation;
}

const SERVERS = [{ url: 'https://api.example.com/v1' }];

/** Compiles all operations of a description, which gets a server if it is of OpenAPI 3 and has none. */
export const compiled = (
  description: Readonly<Record<string, Json>>,
  options: CompileOptions = {},
): CompiledTools => {
  const given = Object.hasOwn(description, 'swagger') ? {} : { servers: SERVERS };
  const checked = read({ ...given, ...description });
  return compileTools(checked, checked.operations, options);
};

export const toolsOf = (
  description: Readonly<Record<string, Json>>,
  options: CompileOptions = {},
): readonly Tool[] => compiled(description, options).tools.map(readTool);

/** As a client reads it. */
export const readTool = ({ listed, operation }: CompiledTool): Tool => ({
  ...JSON.parse(JSON.stringify(listed)),
  operation,
});

/** The schemas of a tool's arguments. */
export const propertiesOf = ({
  inputSchema,
}: Tool): Readonly<Record<string, Readonly<Record<string, unknown>>>> =>
  inputSchema['properties'] as Record<string, Record<string, unknown>>;

/** The only tool of a description with one operation: `POST /pets`, unless a path is given. */
export const toolOf = (
  operation: Readonly<Record<string, Json>>,
  members: Readonly<Record<string, Json>> = {},
  path = '/pets',
): Tool =>
  onlyOf(
    toolsOf(aDescription({ paths: { [path]: { post: anOperation(operation) } }, ...members })),
  );

export const warningsOf = (
  operation: Readonly<Record<string, Json>>,
  members: Readonly<Record<string, Json>> = {},
): readonly string[] =>
  compiled(
    aDescription({ paths: { '/pets': { post: anOperation(operation) } }, ...members }),
  ).warnings.map(({ what }) => what);

/** A Swagger 2.0 description with one operation, `POST /pets`. */
export const swagger = (
  operation: Readonly<Record<string, Json>>,
  members: Readonly<Record<string, Json>> = {},
) => ({
  swagger: '2.0',
  info: { title: 'Pets', version: '1' },
  host: 'api.example.com',
  paths: { '/pets': { post: anOperation(operation) } },
  ...members,
});

/** What a schema has become as an argument named `value`. */
export const argumentOf = (
  schema: Json,
  schemas: JsonObject = {},
  version = '3.1.0',
): Readonly<Record<string, unknown>> => {
  const { properties } = rootOf(schema, schemas, version);
  return (properties as Record<string, Record<string, unknown>>)['value'] ?? {};
};

/** The arguments of a tool whose one argument, `value`, has this schema. */
export const rootOf = (schema: Json, schemas: JsonObject = {}, version = '3.1.0') =>
  toolOf(
    { parameters: [{ name: 'value', in: 'query', schema }] },
    { openapi: version, components: { schemas } },
  ).inputSchema;

export const onlyOf = <Item>(items: readonly Item[]): Item => {
  const [only, ...more] = items;
  if (only === undefined || more.length > 0) throw new Error(`${items.length} instead of one`);
  return only;
};
