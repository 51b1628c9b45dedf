import type { ToolIndex } from '../../../openapi/tool-index.ts';
import type { ToolIndexes } from '../../rules/versions.ts';
import { ToolIndexSchema } from './tool-index-schema.ts';
import { type VersionStore, versionContents } from './version-contents.ts';

export const dynamoToolIndexes = (store: VersionStore): ToolIndexes =>
  versionContents<ToolIndex>(store, {
    part: 'INDEX',
    what: 'tool index',
    schema: ToolIndexSchema,
    // The largest indexes have 6 MB; a larger cache would not fit beside an answer (docs/costs.md, "Memory").
    maxKeptBytes: 12 * 1024 * 1024,
  });
