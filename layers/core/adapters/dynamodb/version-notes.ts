import * as z from 'zod/mini';
import { Fault } from '../../domain/fault.ts';
import type { VersionNotes } from '../../ports.ts';
import { PublicationText } from './publication-form.ts';
import { stored } from './stored.ts';

const Finding = z.object({ where: z.string(), what: z.string(), mend: z.string() });

const Notes = z.pipe(
  z.object({
    tool_count: z.int(),
    api_base_url: z.string(),
    source_hash: z.string(),
    publication: PublicationText,
    warnings: z.array(Finding),
    created_at: z.int(),
  }),
  z.transform((notes): VersionNotes => ({
    toolCount: notes.tool_count,
    apiBaseUrl: notes.api_base_url,
    sourceHash: notes.source_hash,
    publication: notes.publication,
    warnings: notes.warnings,
    createdAt: notes.created_at,
  })),
);

export const notesText = (notes: VersionNotes): string =>
  JSON.stringify({
    tool_count: notes.toolCount,
    api_base_url: notes.apiBaseUrl,
    source_hash: notes.sourceHash,
    publication: JSON.stringify(notes.publication),
    warnings: notes.warnings,
    created_at: notes.createdAt,
  });

/** @throws Fault if they are not what was stored */
export const notesFrom = (text: string, what: string): VersionNotes => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new Fault('dynamodb', `${what} is not JSON`, cause);
  }
  return stored(Notes, parsed, what);
};
