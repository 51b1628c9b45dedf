import * as z from 'zod';
import { trim } from 'zod/mini';
import { type JsonSchema, schemaOf } from '../../api/body.ts';
import { HEADER_VALUE, isCredentialHeader } from '../../credentials/rules/forbidden-headers.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import {
  described,
  line,
  sentOf,
  snakeCase,
  type SnakeCase,
  snakeMembers,
  wireOf,
} from '../../platform/rules/shape.ts';
import { ACCESS_MODES } from '../../deployments/rules/access/access-policy.ts';
import {
  fitsItem,
  MAX_ENTRIES,
  MAX_LIST_CHARACTERS,
  readDomain,
  readEmail,
} from '../../deployments/rules/access/allow-list.ts';
import { Deployment, OWNER_STATUSES } from '../../deployments/rules/deployment.ts';
import {
  Address,
  ArgumentOverrides,
  type PublicationChanges,
  PublicationSettings,
  ToolOverride,
} from '../../deployments/rules/publication.ts';
import {
  PUBLICATION_SETTINGS,
  SERVING_SETTINGS,
  type SettingChanges,
  type SettingsTable,
} from '../../deployments/rules/settings.ts';
import { jsonText } from './description-body.ts';

/** Normalizes an entry of an allow list, or reports what is wrong with it. */
const entry = (read: typeof readEmail) =>
  z.string().transform((text, context) => {
    const found = read(text);
    if ('entry' in found) return found.entry;
    context.issues.push({ code: 'custom', message: found.fault, input: text });
    return z.NEVER;
  });

/** Source: docs/decisions/accounts.md, "Who may use a deployment". */
export const Access = z
  .strictObject({
    mode: z.enum(ACCESS_MODES),
    emails: z.array(entry(readEmail)).max(MAX_ENTRIES).default([]),
    domains: z.array(entry(readDomain)).max(MAX_ENTRIES).default([]),
  })
  .refine(({ emails, domains }) => fitsItem([...emails, ...domains]), {
    error: `More than ${MAX_LIST_CHARACTERS} characters in all: name domains in place of addresses.`,
  })
  .transform(({ mode, ...list }) => (mode === 'allow_list' ? { mode, ...list } : { mode }));

const ByOperation = z.record(z.string().min(1).max(1000), z.nullable(sentOf(ToolOverride)));

const SCHEMA_MEMBER = '$schema';

/** Overrides by operationId or `METHOD /path`; null removes one. A `$schema` for editors is ignored. */
const Overrides = z.preprocess((sent) => {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  if (typeof Reflect.get(sent, SCHEMA_MEMBER) !== 'string') return sent;
  return Object.fromEntries(Object.entries(sent).filter(([key]) => key !== SCHEMA_MEMBER));
}, ByOperation);

/** Source: docs/tools.md, "Overrides". @param address - of the schema itself */
export const overridesSchema = (address: string): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: address,
  title: 'Overrides of the tools of a Hosted MCP server',
  description:
    'By operationId or `METHOD /path`; under `*`, arguments of all operations that have them.',
  ...schemaOf(ByOperation, 'input'),
  properties: { [SCHEMA_MEMBER]: { type: 'string' }, '*': EVERYWHERE },
});

const EVERYWHERE: JsonSchema = {
  ...schemaOf(z.strictObject({ arguments: z.optional(wireOf(ArgumentOverrides)) }), 'input'),
  type: ['object', 'null'],
};

const isAddress = (sent: object): boolean => Object.keys(sent).join(',') === 'url';

/** OpenAPI Overlays, each an object, its text or its address. Objects become texts, which are stored. */
const Overlays = z
  .array(
    z.union(
      [
        z.string().min(1),
        z.strictObject({ url: Address() }),
        z.record(z.string(), z.unknown()).refine((sent) => !isAddress(sent)),
      ],
      { error: 'Give an overlay, its text, or {"url": ...} with an http or https address.' },
    ),
  )
  .max(10)
  .transform((sent) =>
    sent.map((one) =>
      typeof one === 'string'
        ? one
        : isAddress(one)
          ? { url: String(one['url']) }
          : JSON.stringify(one),
    ),
  )
  .meta({
    description:
      'OpenAPI Overlays, each an object, its text in JSON or YAML, or `{"url": ...}`, from where it is fetched once: they change the description at every ' +
      'publication, one after the other. In place of those before; none, or null, takes them away.',
  });

const comment = z.optional(
  described(
    line(500, trim()),
    'What the version that is made is for, for those who look at the list of versions.',
  ),
);
export const VersionFields = z.strictObject({ comment });

type Optional<Table extends SettingsTable> = {
  readonly [Name in keyof Table as SnakeCase<Name>]: z.ZodOptional<Table[Name]['value']>;
};
const settings = <Table extends SettingsTable>(table: Table) =>
  snakeMembers(
    Object.fromEntries(Object.entries(table).map(([name, { value }]) => [name, z.optional(value)])),
  ) as unknown as Optional<Table>;

const { name, instructions, description, network, websiteUrl, authMethod } = Deployment.shape;
const { apiBaseUrl, serverVariables, operations } = PublicationSettings.shape;

export const fields = {
  slug: z.string().max(200).optional(),
  name: z.optional(name).meta({ description: 'What people see: the title of the MCP server.' }),
  instructions: z.nullish(instructions.def.innerType),
  description: z.nullish(description.def.innerType),
  website_url: z.nullish(websiteUrl.def.innerType),
  network: z.nullish(network.def.innerType),
  mcp_auth_method: z.optional(authMethod),
  api_base_url: z.nullish(apiBaseUrl.def.innerType),
  server_variables: z.nullish(serverVariables.def.innerType),
  operations: z.nullish(sentOf(operations.def.innerType)),
  overrides: z.optional(Overrides),
  overlays: z.nullish(Overlays),
  ...settings(PUBLICATION_SETTINGS),
  access: z.optional(Access),
  allowed_origins: z.optional(Deployment.shape.allowedOrigins),
  ...settings(SERVING_SETTINGS),
  comment,
} as const;

const Sent = z.strictObject(fields);
export type Fields = Partial<z.output<typeof Sent>>;

type Queried = {
  readonly [Name in keyof typeof fields]: z.ZodOptional<
    z.ZodType<NonNullable<z.output<(typeof fields)[Name]>>>
  >;
};

/** Null is a value of these settings. For all other fields it removes what was set, which a query cannot do. */
const SETTINGS = { ...settings(PUBLICATION_SETTINGS), ...settings(SERVING_SETTINGS) };

const withoutNull = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const isInner = def.type === 'optional' && def.innerType._zod.def.type === 'nullable';
  return isInner || def.type === 'nullable' ? withoutNull(def.innerType) : schema;
};

const isText = (schema: z.core.$ZodType): boolean => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'optional' ? isText(def.innerType) : ['string', 'enum'].includes(def.type);
};

/** The same fields in a query, beside a description as the body: all but texts are written as JSON. */
export const QueryFields = z.strictObject(
  Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => {
      const said = Object.hasOwn(SETTINGS, field) ? schema : withoutNull(schema);
      return [field, isText(said) ? z.optional(said) : jsonText(said)];
    }),
  ) as unknown as Queried,
);

const checkFetchHeaders = (
  sent: Readonly<Record<string, string>>,
  context: z.RefinementCtx,
): void => {
  for (const [header, value] of Object.entries(sent)) {
    // Never repeats a value, which is usually a secret.
    if (!isCredentialHeader(header)) {
      const message = 'This header cannot be chosen.';
      context.addIssue({ code: 'custom', path: [header], message });
    } else if (!HEADER_VALUE.test(value)) {
      const message = 'Give printable ASCII characters without spaces at the ends.';
      context.addIssue({ code: 'custom', path: [header], message });
    }
  }
};

/** Answered by checks and plans, and sent back to publish exactly what was reviewed. */
export const FetchedAddresses = z
  .array(
    z.strictObject({
      url: z.string().max(2000),
      sha256: z.string().regex(/^[\da-f]{64}$/, 'Give a SHA-256 in hexadecimal digits.'),
    }),
  )
  .max(20)
  .meta({ description: 'Addresses that were fetched, and SHA-256 (hex) of what each said.' });

export const source = {
  openapi: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .meta({ description: 'The description: an object, or its text in JSON or YAML.' }),
  openapi_url: z
    .optional(Address())
    .meta({ description: 'Where the description is fetched from.' }),
  openapi_headers: z
    .record(z.string(), z.string().max(8192))
    .refine((sent) => Object.keys(sent).length <= 5, { error: 'Give at most five.' })
    .superRefine(checkFetchHeaders)
    .optional()
    .meta({
      description:
        'Headers that it is fetched with this once, by their names; they go to no other origin and are not kept. Only with `openapi_url`.',
    }),
  fetched: FetchedAddresses.optional().meta({
    description:
      '`fetched` of the look that this publishes: where an address says something else by now, it is refused (`plan_stale`). If omitted, what it says now is taken. A look that names that of one before reads the same again, without fetching it, for ten minutes.',
  }),
};

const EITHER = { error: 'Give either openapi or openapi_url.', path: ['openapi'] };
const isOne = (sent: { readonly openapi?: unknown; readonly openapi_url?: unknown }): boolean =>
  (sent.openapi === undefined) !== (sent.openapi_url === undefined);

export const NewDeployment = z.strictObject({ ...source, ...fields }).refine(isOne, EITHER);

export const Patch = z
  .strictObject({ ...source, ...fields, status: z.enum(OWNER_STATUSES).optional() })
  .refine((sent) => sent.openapi === undefined || sent.openapi_url === undefined, EITHER);

export const NewDescription = z.strictObject({ ...source, comment }).refine(isOne, EITHER);

export const choicesOf = (sent: Fields) => ({
  name: sent.name,
  instructions: sent.instructions,
  description: sent.description,
  websiteUrl: sent.website_url,
  network: sent.network,
  authMethod: sent.mcp_auth_method,
  access: sent.access,
  allowedOrigins: sent.allowed_origins,
  ...settingChanges(SERVING_SETTINGS, sent),
});

export const publicationChangesOf = (sent: Fields): PublicationChanges => ({
  apiBaseUrl: sent.api_base_url,
  serverVariables: sent.server_variables,
  operations: sent.operations,
  overrides: sent.overrides,
  overlays: sent.overlays,
  ...settingChanges(PUBLICATION_SETTINGS, sent),
});

const settingChanges = <Table extends SettingsTable>(
  table: Table,
  sent: object,
): SettingChanges<Table> =>
  Object.fromEntries(
    Object.keys(table).map((setting) => [setting, Reflect.get(sent, snakeCase(setting))]),
  ) as SettingChanges<Table>;

export const checkSlugStays = (slug: string, sent: string | undefined): void => {
  if (sent === undefined || sent === slug) return;
  throw new ApiRefusal('invalid_request', 'A slug stays as it is.', [
    { where: '/slug', what: 'cannot be changed', hint: 'Make a new deployment.' },
  ]);
};

export const noDescription = () =>
  new ApiRefusal('invalid_request', 'Some fields are missing or wrong.', [
    { where: '/openapi', what: 'missing', hint: 'Give either openapi or openapi_url.' },
  ]);
