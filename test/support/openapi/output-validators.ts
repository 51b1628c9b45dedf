import { AjvJsonSchemaValidator as ValidatorTwo } from '@modelcontextprotocol/client/validators/ajv';
import { AjvJsonSchemaValidator as ValidatorOne } from '@modelcontextprotocol/sdk/validation/ajv';
import { compiled } from './compile.ts';
import type { CompiledTool } from '../../../layers/openapi/tool-index.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { aDescription, anOperation } from './intake.ts';

/** Whether a value fits a schema. */
export type Verdict = (value: unknown) => boolean;

const compilerOne = new ValidatorOne();
const compilerTwo = new ValidatorTwo();

/**
 * A schema as the official clients compile it, with their own code and settings: the default dialect of
 * Ajv with its formats in 1.x, 2020-12 in 2.x.
 *
 * @throws Error as they do, and then a client has no tools
 */
export const officialVerdicts = (schema: object): readonly [one: Verdict, two: Verdict] => {
  const one = compilerOne.getValidator(schema);
  const two = compilerTwo.getValidator(schema);
  return [(value) => one(value).valid, (value) => two(value).valid];
};

/** The tools of these operations, all with structured output. */
export const structuredTools = (
  paths: JsonObject,
  members: JsonObject = {},
  options: Parameters<typeof compiled>[1] = {},
) =>
  compiled(aDescription({ openapi: '3.1.0', paths, ...members }), {
    hasOutput: () => true,
    ...options,
  });

/** `GET /answer` that answers 200 with JSON of this schema. */
export const answering = (
  schema: JsonObject,
  components: JsonObject = {},
  options: Parameters<typeof compiled>[1] = {},
) =>
  structuredTools(
    {
      '/answer': {
        get: anOperation({
          operationId: 'answer',
          responses: { 200: { description: '', content: { 'application/json': { schema } } } },
        }),
      },
    },
    { components: { schemas: components } },
    options,
  );

export const schemaOf = (tool: CompiledTool | undefined) =>
  tool?.output && JSON.parse(tool.output.schema);
