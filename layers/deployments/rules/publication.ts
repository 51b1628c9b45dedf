import * as z from 'zod/mini';
import { described, line, type ValueOf } from '../../platform/rules/shape.ts';
import type { ToolMode } from '../../openapi/tool-mode.ts';
import {
  changedSettings,
  PUBLICATION_SETTINGS,
  type PublicationChoices,
  saidSettings,
  SERVING_SETTINGS,
} from './settings.ts';
import { isSecretHeader } from '../../tools/masking/secret-headers.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';

const optional = z.exactOptional;
const { answerTokenBudget, argumentChecks } = SERVING_SETTINGS;

const selection = z._default(
  z.array(z.string().check(z.minLength(1), z.maxLength(1000))).check(z.maxLength(1000)),
  [],
);

/** `tag:NAME`, `METHOD /path` or operationIds. Source: docs/decisions/descriptions.md, "Choosing operations". */
export const OperationChoice = z.object({ include: selection, exclude: selection });
export type OperationChoice = ValueOf<typeof OperationChoice>;

/** Hides an argument from clients: it is never sent, or always with a fixed value. */
export const ArgumentOverride = z.union([
  z.object({ hidden: described(z.literal(true), 'Never sent, and not shown to models.') }),
  z.object({ value: described(z.unknown(), 'Sent with every call; models do not see it.') }),
]);
export type ArgumentOverride = ValueOf<typeof ArgumentOverride>;

export const ArgumentOverrides = z.record(z.string().check(z.maxLength(64)), ArgumentOverride);

const MOST_STEPS = 32;

/** A non-empty JSON pointer. Source: RFC 6901 §3. */
const isPointer = (text: string): boolean =>
  text.startsWith('/') &&
  text.split('/').length <= MOST_STEPS + 1 &&
  text
    .split('~')
    .every((part, index) => index === 0 || part.startsWith('0') || part.startsWith('1'));

/** Source: docs/tools.md, "Members of answers". */
const AnswerFields = described(
  z
    .array(
      z.string().check(
        z.maxLength(500),
        z.refine(isPointer, {
          error:
            'A JSON pointer of at most 32 steps, as /items/*/id, with * for every element or member.',
        }),
      ),
    )
    .check(z.minLength(1), z.maxLength(100)),
  "JSON pointers with `*` for every element or member: the members of the tool's answers that models are shown. Absent: all.",
);

/** Source: docs/tools.md, "Headers of answers". */
const AnswerHeaders = described(
  z
    .array(
      z.string().check(
        z.regex(/^[\w!#$%&'+.^`|~-]{1,100}\*?$/, {
          error: 'A name of a header, as x-total-count, with * at its end for any ending.',
        }),
        z.refine((name) => !isSecretHeader(name.toLowerCase()), {
          error: 'Cookies, challenges, tokens and keys are never shown to models.',
        }),
      ),
    )
    .check(z.maxLength(30)),
  "Names, `*` at their end for any ending: the headers of the tool's answers that models are told; an empty list: none. Absent: those described for the status, and those that callers need.",
);

/** Changes to one operation's tool, which win over the deployment's settings. Source: docs/tools.md, "Overrides". */
export const ToolOverride = z.object({
  hidden: described(optional(z.boolean()), 'Whether it is no tool.'),
  name: described(
    optional(z.string().check(z.maxLength(64))),
    'Up to 64 of a-z, A-Z, 0-9, _ and -; no digit or - first.',
  ),
  title: described(optional(line(100, z.trim())), 'What clients show to people.'),
  // Some model APIs accept no longer description.
  description: described(
    optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(1024))),
    'What models read of it.',
  ),
  annotations: described(
    optional(
      z.object({
        readOnlyHint: optional(z.boolean()),
        destructiveHint: optional(z.boolean()),
        idempotentHint: optional(z.boolean()),
        openWorldHint: optional(z.boolean()),
      }),
    ),
    'What clients are told of its effects, for instance before they ask a person.',
  ),
  keywords: described(
    optional(
      z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(60))).check(z.maxLength(20)),
    ),
    'Words by which search mode finds it.',
  ),
  alwaysLoad: described(
    optional(z.boolean()),
    'Whether clients that defer tools until they search for them have it from the start; of 3 at most.',
  ),
  structuredOutput: optional(PUBLICATION_SETTINGS.structuredOutput.value),
  answerTokenBudget: optional(answerTokenBudget.value),
  answerFields: optional(AnswerFields),
  answerHeaders: optional(AnswerHeaders),
  argumentChecks: optional(argumentChecks.value),
  arguments: described(optional(ArgumentOverrides), 'By the names that the tool shows.'),
});
export type ToolOverride = ValueOf<typeof ToolOverride>;

const Overrides = z.record(z.string().check(z.minLength(1), z.maxLength(1000)), ToolOverride);

/** Overrides by operationId or `METHOD /path`, kept when the operation is gone. Source: docs/tools.md, "Overrides". */
export type ToolOverrides = ValueOf<typeof Overrides>;

export const Address = () =>
  z.url({ protocol: /^https?$/, error: 'Give an http or https address.' }).check(z.maxLength(2048));

/** Settings for compiling tools, applied to each new description. */
export const PublicationSettings = z.object({
  /** Address of the description, which relative server URLs are resolved against. */
  sourceUrl: optional(z.string()),
  /** Base address, which wins over the servers of the description. */
  apiBaseUrl: optional(Address()),
  serverVariables: optional(
    z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(2048))),
  ),
  operations: optional(OperationChoice),
  overrides: optional(Overrides),
  /** Texts of OpenAPI Overlays, applied to each description in this order. */
  overlays: optional(z.array(z.string())),
  ...saidSettings(PUBLICATION_SETTINGS),
});
export type PublicationSettings = ValueOf<typeof PublicationSettings>;

/** Default settings. The description's address stays. */
export const withoutSettings = ({ sourceUrl }: PublicationSettings): PublicationSettings =>
  sourceUrl === undefined ? {} : { sourceUrl };

export const toolModeOf = ({ toolMode }: PublicationSettings): ToolMode =>
  toolMode ?? PUBLICATION_SETTINGS.toolMode.initial;

/** Changes of publication settings: absent members stay, null resets to the default. */
export interface PublicationChanges extends PublicationChoices {
  readonly apiBaseUrl?: string | null | undefined;
  readonly serverVariables?: Readonly<Record<string, string>> | null | undefined;
  readonly operations?: OperationChoice | null | undefined;
  /** Replaces the whole list; entries are texts or addresses. */
  readonly overlays?: readonly (string | { readonly url: string })[] | null | undefined;
  /** Merged by key with the stored overrides; null removes one. */
  readonly overrides?: Readonly<Record<string, ToolOverride | null>> | undefined;
}

/** The changes with the texts of all overlays fetched. */
export type FetchedChanges = Omit<PublicationChanges, 'overlays'> & {
  readonly overlays?: readonly string[] | null | undefined;
};

export const isChange = (changes: PublicationChanges): boolean =>
  Object.values(changes).some((change) => change !== undefined);

/** @throws ApiRefusal invalid_request if it becomes too large for the item */
export const changedPublication = (
  before: PublicationSettings,
  changes: FetchedChanges,
): PublicationSettings => {
  const { sourceUrl, apiBaseUrl, serverVariables, operations, overrides } = before;
  const base = changed(apiBaseUrl, changes.apiBaseUrl);
  const variables = changed(serverVariables, changes.serverVariables);
  const overlays = changed(before.overlays, changes.overlays);
  const choice = changed(operations, changes.operations);
  const overriding = Object.entries({ ...overrides, ...changes.overrides }).flatMap(
    ([operation, override]) => (override === null ? [] : [[operation, override] as const]),
  );
  return {
    ...changedSettings(PUBLICATION_SETTINGS, before, changes),
    ...(sourceUrl !== undefined && { sourceUrl }),
    ...(base !== undefined && { apiBaseUrl: base }),
    ...(variables && { serverVariables: checkedSize('server_variables', variables) }),
    ...(choice && { operations: checkedSize('operations', choice) }),
    ...(overlays && overlays.length > 0 && { overlays: checkedSize('overlays', overlays) }),
    ...(overriding.length > 0 && {
      overrides: checkedSize('overrides', Object.fromEntries(overriding)),
    }),
  };
};

const changed = <Value>(before: Value | undefined, change: Value | null | undefined) =>
  change === undefined ? before : (change ?? undefined);

/** Bytes of JSON. Together they fit the deployment's item, limited to 400 KB and read by requests to the router. */
export const MAX_BYTES = {
  overrides: [65_536, 'The overrides are', 'Override fewer operations, or in fewer words.'],
  operations: [131_072, 'The selection is', 'Choose by tags, or with `*`.'],
  overlays: [65_536, 'The overlays are', 'Change fewer places, or with wider targets.'],
  server_variables: [32_768, 'The server variables are', 'Give those that the servers have.'],
} as const;

const checkedSize = <Value>(name: keyof typeof MAX_BYTES, value: Value): Value => {
  const [most, subject, hint] = MAX_BYTES[name];
  if (Buffer.byteLength(JSON.stringify(value)) <= most) return value;
  throw new ApiRefusal('invalid_request', `${subject} too large.`, [
    { where: `/${name}`, what: `more than ${most} bytes in all`, hint },
  ]);
};
