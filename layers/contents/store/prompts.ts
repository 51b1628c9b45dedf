import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Prompt } from '../rules/contents.ts';
import type { Prompts } from '../rules/named-contents.ts';
import { storedOf } from '../../platform/rules/shape.ts';
import { type ContentTables, namedContents } from './named-contents.ts';

export const dynamoPrompts = (dynamo: DynamoDBDocumentClient, tables: ContentTables): Prompts =>
  namedContents<Prompt>(dynamo, tables, {
    kind: 'PROMPT',
    what: 'prompt',
    schema: storedOf(Prompt),
    countedText: ({ template }) => template,
    completes: ({ arguments: declared }) => declared.some(({ values = [] }) => values.length > 0),
  });
