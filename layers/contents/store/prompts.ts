import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Prompt, PromptArgument } from '../../servers/rules/deployment.ts';
import type { Prompts } from '../../ports.ts';
import type { Fields } from '../../platform/dynamodb/parse-item.ts';
import { type ContentTables, namedContents } from './named-contents.ts';

const Argument = z.object({
  name: z.string().check(z.minLength(1)),
  title: z.exactOptional(z.string()),
  values: z.exactOptional(z.array(z.string())),
  required: z.boolean(),
  description: z.exactOptional(z.string()),
} satisfies Fields<PromptArgument>);

const Item = z.object({
  name: z.string().check(z.minLength(1)),
  title: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  arguments: z.array(Argument),
  template: z.string(),
} satisfies Fields<Prompt>);

/** A deployment's prompts, one item each. */
export const dynamoPrompts = (dynamo: DynamoDBDocumentClient, tables: ContentTables): Prompts =>
  namedContents<Prompt>(dynamo, tables, {
    kind: 'PROMPT',
    what: 'prompt',
    schema: Item,
    textOf: ({ template }) => template,
    completes: ({ arguments: declared }) => declared.some(({ values = [] }) => values.length > 0),
  });
