import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ToolIndex } from '../../../openapi/tool-index.ts';
import type { Clock } from '../../../platform/system/clock.ts';
import type { ToolIndexes } from '../../rules/versions.ts';
import { ToolIndexSchema } from './tool-index-schema.ts';
import { versionContents } from './version-contents.ts';
import type { Files } from './version-item.ts';

export const dynamoToolIndexes = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  files: Files,
  clock: Clock,
): ToolIndexes =>
  versionContents<ToolIndex>(
    { dynamo, TableName, files, clock },
    {
      part: 'INDEX',
      what: 'tool index',
      schema: ToolIndexSchema,
      // The largest indexes have 6 MB; a larger cache would not fit beside an answer (docs/costs.md, "Memory").
      maxKeptBytes: 12 * 1024 * 1024,
    },
  );
