import { exactly } from '../../../platform/rules/shape.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ToolReport } from '../../../openapi/tool-note.ts';
import type { Clock } from '../../../platform/system/clock.ts';
import type { ToolReports } from '../../rules/versions.ts';
import { versionContents } from './version-contents.ts';
import type { Files } from './version-item.ts';

const text = z.string();

const Note = z.object({
  what: text,
  why: text,
  arguments: z.exactOptional(z.array(text)),
});

const Report = exactly<ToolReport>()(
  z.object({
    format: z.literal(1),
    tools: z.array(z.object({ name: text, notes: z.array(Note) })),
  }),
);

/** Read when people look at a deployment's tools, never during calls. */
export const dynamoToolReports = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  files: Files,
  clock: Clock,
): ToolReports =>
  versionContents<ToolReport>(
    { dynamo, TableName, files, clock },
    { part: 'REPORT', what: 'tool report', schema: Report, maxKeptBytes: 4 * 1024 * 1024 },
  );
