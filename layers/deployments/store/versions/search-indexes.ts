import { exactly } from '../../../platform/rules/shape.ts';
import * as z from 'zod/mini';
import type { SearchedOperation, SearchIndex } from '../../../search/search-index.ts';
import type { SearchIndexes } from '../../rules/versions.ts';
import { type VersionStore, versionContents } from './version-contents.ts';

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
export const dynamoSearchIndexes = (store: VersionStore): SearchIndexes =>
  versionContents<SearchIndex>(store, {
    part: 'SEARCH',
    what: 'search index',
    schema: SearchIndexSchema,
    // The limit is on the text: parsed for searching, it takes many times as much memory.
    maxKeptBytes: 4 * 1024 * 1024,
  });
