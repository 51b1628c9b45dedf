import { isCredentialHeader } from '../../credentials/rules/forbidden-headers.ts';
import { MCP_AUTH_METHODS } from '../rules/auth-methods.ts';
import { PUBLICATION_SETTINGS, SERVING_SETTINGS } from '../rules/settings.ts';
import * as z from 'zod';
import { Access, AllowedOrigins } from './access-fields.ts';
import { type JsonSchema, schemaOf } from '../../api/body.ts';
import { sentSettings } from './setting-fields.ts';

const url = z.url({ protocol: /^https?$/, error: 'Give an http or https address.' }).max(2048);

/** Texts that are shown: no control characters, so that they command no terminal. */
const shown = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}]*$/u, 'Leave control characters out.');

const selection = z.array(z.string().min(1).max(1000)).max(1000).default([]);

/** Source: docs/decisions/descriptions.md, "Choosing operations". */
const Operations = z.strictObject({ include: selection, exclude: selection });

const hint = z.boolean().optional();

const Annotations = z
  .strictObject({
    read_only_hint: hint,
    destructive_hint: hint,
    idempotent_hint: hint,
    open_world_hint: hint,
  })
  .transform((sent) =>
    defined({
      readOnlyHint: sent.read_only_hint,
      destructiveHint: sent.destructive_hint,
      idempotentHint: sent.idempotent_hint,
      openWorldHint: sent.open_world_hint,
    }),
  );

const ArgumentOverride = z.union([
  z.strictObject({
    hidden: z.literal(true).meta({ description: 'Never sent, and not shown to models.' }),
  }),
  z.strictObject({
    value: z.unknown().meta({ description: 'Sent with every call; models do not see it.' }),
  }),
]);

const MOST_STEPS = 32;

/** Of a member: the whole answer is no choice. Source: RFC 6901 §3. */
const isPointer = (text: string): boolean =>
  text.startsWith('/') &&
  text.split('/').length <= MOST_STEPS + 1 &&
  text
    .split('~')
    .every((part, index) => index === 0 || part.startsWith('0') || part.startsWith('1'));

/** Source: docs/tools.md, "Members of answers". */
const AnswerFields = z
  .array(
    z.string().max(500).refine(isPointer, {
      error:
        'A JSON pointer of at most 32 steps, as /items/*/id, with * for every element or member.',
    }),
  )
  .min(1)
  .max(100)
  .meta({
    description:
      "JSON pointers with `*` for every element or member: the members of the tool's answers that models are shown. Absent: all.",
  });

/** Source: docs/tools.md, "Overrides". */
const Override = z
  .strictObject({
    hidden: z.boolean().optional().meta({ description: 'Whether it is no tool.' }),
    name: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'Up to 64 of a-z, A-Z, 0-9, _ and -; no digit or - first.' }),
    title: shown(100).optional().meta({ description: 'What clients show to people.' }),
    // Some model APIs take no more.
    description: z
      .string()
      .trim()
      .min(1)
      .max(1024)
      .optional()
      .meta({ description: 'What models read of it.' }),
    annotations: Annotations.optional().meta({
      description: 'What clients are told of its effects, for instance before they ask a person.',
    }),
    keywords: z
      .array(z.string().trim().min(1).max(60))
      .max(20)
      .optional()
      .meta({ description: 'Words by which search mode finds it.' }),
    structured_output: z.optional(PUBLICATION_SETTINGS.structuredOutput.value),
    answer_token_budget: z.optional(SERVING_SETTINGS.answerTokenBudget.value),
    answer_fields: AnswerFields.optional(),
    argument_checks: z.optional(SERVING_SETTINGS.argumentChecks.value),
    arguments: z
      .record(z.string().max(64), ArgumentOverride)
      .optional()
      .meta({ description: 'By the names that the tool shows.' }),
  })
  .transform(
    ({
      structured_output: structuredOutput,
      answer_token_budget: answerTokenBudget,
      answer_fields: answerFields,
      argument_checks: argumentChecks,
      ...sent
    }) => defined({ ...sent, structuredOutput, answerTokenBudget, answerFields, argumentChecks }),
  );

const ByOperation = z.record(z.string().min(1).max(1000), Override.nullable());

/** By operationId or `METHOD /path`; null takes an override away. An editor's `$schema` says nothing. */
export const Overrides = z.preprocess((sent) => {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  if (typeof Reflect.get(sent, SCHEMA_MEMBER) !== 'string') return sent;
  return Object.fromEntries(Object.entries(sent).filter(([key]) => key !== SCHEMA_MEMBER));
}, ByOperation);

const SCHEMA_MEMBER = '$schema';

/**
 * What editors check a file of overrides by, in JSON Schema 2020-12.
 *
 * @param address - where it is served
 *
 * Source: docs/tools.md, "Overrides".
 */
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
  ...schemaOf(
    z.strictObject({ arguments: z.record(z.string().max(64), ArgumentOverride).optional() }),
    'input',
  ),
  type: ['object', 'null'],
};

const isAddress = (sent: object): boolean => Object.keys(sent).join(',') === 'url';

/** OpenAPI Overlays, each an object, its text or its address; objects as texts, which are stored. */
const Overlays = z
  .array(
    z.union(
      [
        z.string().min(1),
        z.strictObject({ url }),
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

/** A text of several lines, for people and models. */
const lines = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .regex(/^(?:[^\p{Cc}]|[\n\t])*$/u, 'Leave control characters out, but for line breaks.');

const Instructions = lines(2000).meta({
  description:
    'What clients tell models of the server as a whole; null: title and description of the API, as plain text.',
});
const Description = shown(500).meta({
  description:
    'What clients tell people of the server, and `server.json` and server cards tell everybody; null: to clients ' +
    'what the description of the API says, to others how many tools there are.',
});
const WebsiteUrl = url.meta({ description: 'Where people read about it; null: nowhere.' });

/** Of a version. */
export const Comment = shown(500).meta({
  description: 'What the version that is made is for, for those who look at the list of versions.',
});

/** What an owner may say of a deployment when it is made, and later. */
export const fields = {
  slug: z.string().max(200).optional(),
  name: shown(200)
    .optional()
    .meta({ description: 'What people see: the title of the MCP server.' }),
  instructions: Instructions.nullish(),
  description: Description.nullish(),
  website_url: WebsiteUrl.nullish(),
  mcp_auth_method: z.enum(MCP_AUTH_METHODS).optional(),
  api_base_url: url.nullish(),
  server_variables: z.record(z.string().max(200), z.string().max(2048)).nullish(),
  operations: Operations.nullish(),
  overrides: Overrides.optional(),
  overlays: Overlays.nullish(),
  ...sentSettings(PUBLICATION_SETTINGS),
  access: Access.optional(),
  allowed_origins: AllowedOrigins.optional(),
  ...sentSettings(SERVING_SETTINGS),
  comment: Comment.optional(),
} as const;

/** What a header can hold. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const checkFetchHeaders = (
  sent: Readonly<Record<string, string>>,
  context: z.RefinementCtx,
): void => {
  for (const [name, value] of Object.entries(sent)) {
    // No finding repeats a value: as a rule it is a secret.
    if (!isCredentialHeader(name)) {
      context.addIssue({ code: 'custom', path: [name], message: 'This header cannot be chosen.' });
    } else if (!HEADER_VALUE.test(value)) {
      const message = 'Give printable ASCII characters without spaces at the ends.';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  }
};

/** A description, in one of two forms; the descriptions' own rules hold for either. */
export const source = {
  openapi: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .meta({ description: 'The description: an object, or its text in JSON or YAML.' }),
  openapi_url: url.optional().meta({ description: 'Where the description is fetched from.' }),
  openapi_headers: z
    .record(z.string(), z.string().max(8192))
    .refine((sent) => Object.keys(sent).length <= 5, { error: 'Give at most five.' })
    .superRefine(checkFetchHeaders)
    .optional()
    .meta({
      description:
        'Headers that it is fetched with this once, by their names; they go to no other origin and are not kept. Only with `openapi_url`.',
    }),
};

/** Without members that are undefined. */
const defined = <Value extends object>(value: Value): Defined<Value> =>
  Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Defined<Value>;

type Defined<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> } & object;
