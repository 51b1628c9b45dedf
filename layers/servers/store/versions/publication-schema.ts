import * as z from 'zod/mini';
import type {
  OperationChoice,
  PublicationSettings,
  ToolAnnotations,
  ToolOverride,
} from '../../rules/publication.ts';
import { PUBLICATION_SETTINGS, saidSettings, SERVING_SETTINGS } from '../../rules/settings.ts';
import type { Fields } from '../../../platform/dynamodb/parse-item.ts';

const optional = z.exactOptional;
const text = z.string();
const flag = z.boolean();

const Annotations = z.object({
  readOnlyHint: optional(flag),
  destructiveHint: optional(flag),
  idempotentHint: optional(flag),
  openWorldHint: optional(flag),
} satisfies Fields<ToolAnnotations>);

const Override = z.object({
  hidden: optional(flag),
  name: optional(text),
  title: optional(text),
  description: optional(text),
  annotations: optional(Annotations),
  keywords: optional(z.array(text)),
  structuredOutput: optional(z.enum(['off', 'on'])),
  answerTokenBudget: optional(z.nullable(z.int())),
  answerFields: optional(z.array(text)),
  argumentChecks: optional(SERVING_SETTINGS.argumentChecks.value),
  arguments: optional(
    z.record(
      text,
      z.union([z.object({ hidden: z.literal(true) }), z.object({ value: z.unknown() })]),
    ),
  ),
} satisfies Fields<ToolOverride>);

export const PublicationSchema = z.object({
  sourceUrl: optional(text),
  apiBaseUrl: optional(text),
  serverVariables: optional(z.record(text, text)),
  operations: optional(
    z.object({ include: z.array(text), exclude: z.array(text) } satisfies Fields<OperationChoice>),
  ),
  overrides: optional(z.record(text, Override)),
  overlays: optional(z.array(text)),
  ...saidSettings(PUBLICATION_SETTINGS),
} satisfies Fields<PublicationSettings>) satisfies z.ZodMiniType<PublicationSettings>;

/** Kept as JSON text: nobody asks the table for a part of it, and fixed values may be of any form. */
export const PublicationJson = z.pipe(
  z.pipe(
    text,
    z.transform((json, context): unknown => {
      try {
        return JSON.parse(json);
      } catch {
        context.issues.push({ code: 'custom', message: 'is not JSON', input: '' });
        return z.NEVER;
      }
    }),
  ),
  PublicationSchema,
);
