import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { ToolIndex } from '../../openapi/tool-index.ts';
import type { SearchIndex } from '../../search/search-index.ts';
import type { ToolReport } from '../../openapi/tool-note.ts';
import type { VersionNotes } from './version-notes.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

/** One part of each version. Versions are immutable, so they may be cached for ever. */
export interface VersionContents<Content> {
  find(deploymentId: string, version: number): Promise<Content | undefined>;
}

export type ToolIndexes = VersionContents<ToolIndex>;

/** Search indexes, which only versions in search mode have. */
export type SearchIndexes = VersionContents<SearchIndex>;

/** Reports about how versions were compiled, which only people read. */
export type ToolReports = VersionContents<ToolReport>;

export interface StoredVersion {
  readonly deploymentId: string;
  readonly version: number;
  readonly index: ToolIndex;
  /** In search mode only. */
  readonly searchIndex?: SearchIndex;
  readonly report: ToolReport;
  readonly description: string;
  /** Whether the table may hold it, rather than the bucket: not if the description's schemas have too many keys. */
  readonly inline: boolean;
  readonly notes: VersionNotes;
}

/** A file of a version, which may never have been committed. */
export interface VersionFile {
  readonly key: string;
  readonly deploymentId: string;
  readonly version: number;
  /** Part of the version, as the file is named. */
  readonly part: string;
  readonly createdAt: EpochSeconds;
}

export const Refreshed = z.object({
  at: z.int(),
  outcome: z.enum(['unchanged', 'published', 'held_back', 'failed']),
  /** Reason for `held_back` or `failed`, for people. */
  why: z.exactOptional(z.string()),
  /** Hash of the last fetched text: a text seen before is not published automatically. */
  seen: z.exactOptional(z.string()),
  /** First of the failures since the last success. */
  failingSince: z.exactOptional(z.int()),
  /** Text or failure that the owner was last sent a mail about. */
  toldOf: z.exactOptional(z.string()),
});
export type Refreshed = ValueOf<typeof Refreshed>;
