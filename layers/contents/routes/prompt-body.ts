import type { ownPrompts } from '../steps/prompts.ts';
import * as z from 'zod';
import { contentName, description, title, valueCount, values } from '../../api/content.ts';

const Argument = z.strictObject({
  name: z.string().min(1).max(100),
  title: title.optional(),
  description: description.optional(),
  values: values.optional(),
  required: z.boolean().default(false),
});

const fields = {
  title: title.optional(),
  description: description.optional(),
  arguments: z.array(Argument).max(50).default([]),
  template: z.string().min(1).meta({
    description:
      "`{{name}}`, `{{name | filter}}`, `{{#if name}}`, `{{#if name eq 'text'}}`, `{{else}}`, `{{/if}}`; filters: uppercase, lowercase, trim, capitalize, json, default 'text'.",
  }),
};
export const Replacement = z.strictObject({ name: contentName.optional(), ...fields });
export const NewPrompt = z.strictObject({ name: contentName, ...fields });

const WholeArgument = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  values: values.optional(),
  required: z.boolean(),
});

export const Whole = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z.array(WholeArgument),
  template: z.string(),
});

export const Listed = Whole.omit({ template: true }).extend({
  arguments: z.array(
    WholeArgument.omit({ values: true }).extend({ value_count: valueCount.optional() }),
  ),
});

export const Preview = z.strictObject({ arguments: z.record(z.string(), z.unknown()).default({}) });
/** A prompt that is not stored, and what to fill in to try it. */
export const Draft = z.strictObject({ ...fields, given: Preview.shape.arguments });
export const Rendered = z.object({
  description: z.string().optional(),
  messages: z.array(
    z.object({
      role: z.literal('user'),
      content: z.object({ type: z.literal('text'), text: z.string() }),
    }),
  ),
});

export type Prompt = Awaited<ReturnType<ReturnType<typeof ownPrompts>['find']>>;

export const promptOf = (name: string, sent: z.output<typeof Replacement>): Prompt => ({
  name,
  ...(sent.title !== undefined && { title: sent.title }),
  ...(sent.description !== undefined && { description: sent.description }),
  arguments: sent.arguments.map((argument) => ({
    name: argument.name,
    required: argument.required,
    ...(argument.title !== undefined && { title: argument.title }),
    ...(argument.description !== undefined && { description: argument.description }),
    ...(argument.values && { values: argument.values }),
  })),
  template: sent.template,
});

export const listed = (prompt: Prompt) => {
  const { template: _, arguments: declared, ...rest } = prompt;
  return {
    ...rest,
    arguments: declared.map(({ values: given, ...argument }) => ({
      ...argument,
      ...(given && { value_count: given.length }),
    })),
  };
};
