import * as z from 'zod';
import type { ApiRoute } from '../../api/route.ts';
import { type JsonSchema, schemaOf } from '../../api/body.ts';
import { snakeCase } from '../../platform/rules/shape.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { PlatformSettings } from '../../platform/ports.ts';
import { CREDENTIAL_KINDS } from '../../target/rules/credential.ts';
import { schemaRoute } from '../../servers/routes/overrides-schema.ts';
import { declaredMembers } from './declaration-body.ts';

/** JSON Schema by which editors check a declarations file. Source: docs/declarations.md, "The file". */
export const serversSchemaRoute = (ports: {
  readonly settings: PlatformSettings & LimitsSettings;
}): ApiRoute =>
  schemaRoute(ports, {
    path: '/declaration.schema.json',
    operationId: 'getDeclarationSchema',
    tag: 'declaration',
    summary: 'A JSON Schema of files that declare servers, for editors.',
    schemaAt: (address) => serversSchema(address),
  });

const file = z.string().meta({ description: 'A file, relative to this one.' });
const secret = z
  .union([z.strictObject({ env: z.string() }), z.strictObject({ file })])
  .meta({ description: 'Where the secret stands: a variable of the environment, or a file.' });

/** @param address - of the schema itself */
const serversSchema = (address: string): JsonSchema => {
  const { properties = {}, ...server } = schemaOf(
    z.strictObject({
      ...declaredMembers,
      openapi: z.union([z.string(), z.strictObject({ url: z.string() })]).meta({
        description: 'The description of the API: a file, relative to this one, or `{ url }`.',
      }),
    }),
    'input',
  ) as { readonly properties?: Readonly<Record<string, JsonSchema>> };
  const entry = {
    ...server,
    properties: {
      ...properties,
      overlays: alsoFiles(properties['overlays']),
      overrides: { anyOf: [properties['overrides'], schemaOf(z.strictObject({ file }), 'input')] },
      resources: withFile(properties['resources'], 'content'),
      prompts: withFile(properties['prompts'], 'template'),
      credentials: {
        type: 'object',
        additionalProperties: { anyOf: Object.entries(CREDENTIAL_KINDS).map(credentialSchema) },
      },
    },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: address,
    title: 'MCP servers of Hosted MCP',
    type: 'object',
    required: ['version', 'servers'],
    additionalProperties: false,
    properties: {
      version: { const: 1 },
      defaults: {
        ...entry,
        required: [],
        description: 'What holds for each server that does not say it itself.',
      },
      servers: { type: 'object', maxProperties: 50, additionalProperties: entry },
    },
  };
};

const alsoFiles = (overlays: JsonSchema | undefined): JsonSchema => ({
  description: overlays?.['description'],
  type: 'array',
  items: { anyOf: [{ type: 'string' }, { type: 'object' }] },
});

/** Schema of contents in a file: their text can also stand in a file of its own. */
const withFile = (contents: JsonSchema | undefined, text: string): JsonSchema => {
  const forms = (contents?.['items'] as { readonly anyOf?: readonly JsonSchema[] } | undefined)
    ?.anyOf;
  const {
    properties = {},
    required = [],
    ...form
  } = (forms?.at(-1) ?? {}) as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  return {
    type: 'array',
    items: {
      ...form,
      properties: { ...properties, file: schemaOf(file, 'input') },
      required: required.filter((name) => name !== text),
    },
  };
};

const credentialSchema = ([type, { open, sealed }]: readonly [
  string,
  { readonly open: object; readonly sealed: object },
]): JsonSchema => {
  const members = Object.entries(open).map(
    ([name, member]) => [snakeCase(name), member as z.core.$ZodType] as const,
  );
  const secrets = Object.keys(sealed).map(
    (name) => [snakeCase(name), z.union([secret, z.unknown()])] as const,
  );
  return schemaOf(
    z.strictObject({
      type: z.literal(type),
      ...Object.fromEntries(members),
      ...Object.fromEntries(secrets.map(([name, member]) => [name, z.optional(member)])),
      origins: z.array(z.string()).optional(),
      schemes: z.array(z.string()).optional(),
      keep: z.literal(true).optional().meta({ description: 'The secret that is set stays.' }),
    }),
    'input',
  );
};
