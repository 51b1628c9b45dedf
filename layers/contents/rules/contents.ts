import * as z from 'zod/mini';
import { described, line, lines, type ValueOf } from '../../platform/rules/shape.ts';

const optional = z.exactOptional;
const variableName = z.string().check(z.minLength(1), z.maxLength(100));

/** Name of a resource or prompt. It stands in paths, so no character of it needs encoding. */
const name = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'Choose 1 to 64 letters, digits, dots, dashes or underscores, no mark first.',
    ),
  );
const title = line(200);
const description = lines(2000);

/** Completion values of an argument or variable. Limits say how many are allowed. */
const values = described(
  z.array(line(200)).check(z.maxLength(100_000)),
  'What clients offer while somebody types.',
);

export const PromptArgument = z.object({
  name: variableName,
  title: optional(title),
  description: optional(description),
  values: optional(values),
  required: z._default(z.boolean(), false),
});

/** Source: docs/protocol.md, "Prompts". */
export const Prompt = z.object({
  name,
  title: optional(title),
  description: optional(description),
  arguments: z._default(z.array(PromptArgument).check(z.maxLength(50)), []),
  template: described(
    z.string().check(z.minLength(1)),
    "`{{name}}`, `{{name | filter}}`, `{{#if name}}`, `{{#if name eq 'text'}}`, `{{else}}`, `{{/if}}`; filters: uppercase, lowercase, trim, capitalize, json, default 'text'.",
  ),
});
export type Prompt = ValueOf<typeof Prompt>;

/** Source: MCP 2025-03-26, "Annotations". */
const AUDIENCES = ['user', 'assistant'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** A document or a template of documents. Source: docs/protocol.md, "Resources". */
export const Resource = z.object({
  name,
  uri: described(
    z.string().check(z.minLength(1), z.maxLength(2048)),
    'Absolute; with RFC 6570 variables it is a template.',
  ),
  title: optional(title),
  description: optional(description),
  mimeType: optional(z.string().check(z.minLength(1), z.maxLength(255))),
  audience: optional(
    described(
      z.array(z.enum(AUDIENCES)).check(
        z.minLength(1),
        z.maxLength(AUDIENCES.length),
        z.refine((all) => new Set(all).size === all.length, { error: 'Name each once.' }),
      ),
      'Whom it is for: people, models, or both.',
    ),
  ),
  priority: optional(
    described(
      z.number().check(z.minimum(0), z.maximum(1)),
      'How much it matters: 1 is required, 0 is optional.',
    ),
  ),
  variables: optional(
    described(
      z.array(z.object({ name: variableName, values })).check(z.maxLength(50)),
      'Of a template: what its variables can be completed with.',
    ),
  ),
  content: described(
    z.string(),
    'In the text of a template, `{{variable}}` is replaced by its value in the request.',
  ),
  encoding: z._default(
    described(
      z.enum(['text', 'base64']),
      'What `content` is: the text itself, or bytes as base64.',
    ),
    'text',
  ),
  /** Epoch seconds. Absent in items from before this was recorded. */
  updatedAt: optional(z.int()),
});
export type Resource = ValueOf<typeof Resource>;
