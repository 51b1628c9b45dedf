import { exactly } from '../../../platform/rules/shape.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { SearchedOperation, SearchIndex } from '../../../search/search-index.ts';
import type { Clock } from '../../../platform/system/clock.ts';
import type { SearchIndexes } from '../../rules/versions.ts';
import { versionContents } from './version-contents.ts';
import type { Files } from './version-item.ts';

const text = z.string();

const Operation = exactly<SearchedOperation>()(
  z.object({
    name: text,
    method: text,
    path: text,
    summary: text,
    areas: z.array(text),
  }),
);

const SearchIndexSchema = exactly<SearchIndex>()(
  z.object({
    format: z.literal(1),
    operations: z.array(Operation),
    isReadOnly: z.boolean(),
    ranked: text,
  }),
);

/** Only deployments in search mode have search indexes. */
export const dynamoSearchIndexes = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  files: Files,
  clock: Clock,
): SearchIndexes =>
  versionContents<SearchIndex>(
    { dynamo, TableName, files, clock },
    {
      part: 'SEARCH',
      what: 'search index',
      schema: SearchIndexSchema,
      // Of text: parsed for searching, it takes many times as much memory.
      maxKeptBytes: 4 * 1024 * 1024,
    },
  );
