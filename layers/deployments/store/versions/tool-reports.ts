import { exactly } from '../../../platform/rules/shape.ts';
import * as z from 'zod/mini';
import type { ToolReport } from '../../../openapi/tool-note.ts';
import type { ToolReports } from '../../rules/versions.ts';
import { type VersionStore, versionContents } from './version-contents.ts';

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
export const dynamoToolReports = (store: VersionStore): ToolReports =>
  versionContents<ToolReport>(store, {
    part: 'REPORT',
    what: 'tool report',
    schema: Report,
    maxKeptBytes: 4 * 1024 * 1024,
  });
