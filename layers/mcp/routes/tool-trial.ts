import * as z from 'zod/mini';
import { SERVING_SETTINGS } from '../../servers/rules/settings.ts';
import type { ToolTrial } from '../../openapi/tool-test.ts';

const text = z.string().check(z.minLength(1));

const Trial = z.strictObject({
  deployment: z.strictObject({
    id: text,
    slug: text,
    ownerId: text,
    version: z.int(),
    answerTokenBudget: z.exactOptional(z.nullable(z.int())),
    answerFields: z.exactOptional(z.array(z.string())),
    argumentChecks: z.exactOptional(SERVING_SETTINGS.argumentChecks.value),
    credential: z.exactOptional(z.strictObject({ version: text, setAt: z.int() })),
  }),
  tool: z.string(),
  arguments: z.optional(z.unknown()),
  sender: z.strictObject({
    ip: z.string(),
    userAgent: z.optional(z.string()),
    requestId: z.string(),
  }),
});

/** What the management function asks of the router. @throws Error that names the place, and no value */
export const readToolTrial = (sent: unknown): ToolTrial => {
  const read = z.safeParse(Trial, sent);
  if (read.success) return { ...read.data, arguments: read.data.arguments };
  throw new Error(`not a trial of a tool: ${read.error.issues[0]?.path.join('.') ?? ''}`);
};

const DescriptionFetch = z.strictObject({
  deployment: z.strictObject({ id: text, slug: text, ownerId: text, version: text }),
  url: text,
  requestId: text,
});

/** The same of a description that is fetched with a credential. @throws Error that names the place, and no value */
export const readDescriptionFetch = (sent: unknown): z.output<typeof DescriptionFetch> => {
  const read = z.safeParse(DescriptionFetch, sent);
  if (read.success) return read.data;
  throw new Error(`not a fetch of a description: ${read.error.issues[0]?.path.join('.') ?? ''}`);
};
