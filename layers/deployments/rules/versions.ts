import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { ToolIndex } from '../../openapi/tool-index.ts';
import type { SearchIndex } from '../../search/search-index.ts';
import type { ToolReport } from '../../openapi/tool-note.ts';
import type { ApiTexts } from '../../openapi/api-texts.ts';
import type { PublicationSettings } from './publication.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { CredentialNeed } from '../../openapi/credential-needs.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Encoding } from '../../openapi/intake/parse.ts';
export interface ToolIndexes {
  find(deploymentId: string, version: number): Promise<ToolIndex | undefined>;
}

/** Search indexes of versions in search mode. */
export interface SearchIndexes {
  find(deploymentId: string, version: number): Promise<SearchIndex | undefined>;
}

/** Reports about how versions were compiled, which only people read. */
export interface ToolReports {
  find(deploymentId: string, version: number): Promise<ToolReport | undefined>;
}

export interface StoredVersion {
  readonly deploymentId: string;
  readonly version: number;
  readonly index: ToolIndex;
  /** In search mode only. */
  readonly searchIndex?: SearchIndex;
  readonly report: ToolReport;
  readonly description: string;
  /**
   * Whether the table, rather than the bucket, may hold it, which depends on the keys of the description. Never from
   * 350 KB compressed.
   */
  readonly inline: boolean;
  readonly notes: VersionNotes;
}

/** Summary of a version, with all that restoring it takes. */
export interface VersionNotes {
  readonly toolCount: number;
  readonly apiBaseUrl: string;
  readonly apiTexts?: ApiTexts;
  readonly sourceHash: string;
  readonly publication: PublicationSettings;
  readonly warnings: readonly Finding[];
  /** What its operations require of credentials. Absent in versions from before this was stored. */
  readonly credentialNeeds?: readonly CredentialNeed[];
  readonly createdAt: EpochSeconds;
  /** Absent in versions from before this was stored. */
  readonly origin?: VersionOrigin;
  readonly upload: Upload;
}

export interface VersionOrigin {
  /** `refresh`: the service, from a description that it fetched again. */
  readonly by: 'owner' | 'operator' | 'refresh';
  readonly comment?: string;
}

export interface Upload {
  readonly mediaType: string;
  readonly encoding: Encoding;
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
