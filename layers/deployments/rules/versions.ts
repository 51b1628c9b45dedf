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
/** The compiled tools of a version: immutable, so they may be cached for ever. */
export interface ToolIndexes {
  find(deploymentId: string, version: number): Promise<ToolIndex | undefined>;
}

/** What a version in search mode is searched by, as immutable as its tools. */
export interface SearchIndexes {
  find(deploymentId: string, version: number): Promise<SearchIndex | undefined>;
}

/** What was done to make a version's tools: as immutable as they are, and read by people only. */
export interface ToolReports {
  find(deploymentId: string, version: number): Promise<ToolReport | undefined>;
}

/** A version, stored once and for ever. See `DeploymentEditor`. */
export interface StoredVersion {
  readonly deploymentId: string;
  readonly version: number;
  readonly index: ToolIndex;
  /** In search mode only. */
  readonly searchIndex?: SearchIndex;
  readonly report: ToolReport;
  /** The text of the description as it was uploaded. */
  readonly description: string;
  /**
   * Whether the description's schema keys allow the table; a compressed size of 350 KB or more
   * never does.
   */
  readonly inline: boolean;
  readonly notes: VersionNotes;
}

/** What is worth knowing of a version without reading it, and what returning to it takes. */
export interface VersionNotes {
  readonly toolCount: number;
  readonly apiBaseUrl: string;
  readonly apiTexts?: ApiTexts;
  readonly sourceHash: string;
  readonly publication: PublicationSettings;
  readonly warnings: readonly Finding[];
  /** What the operations ask of a credential. Absent of versions that were made before it was noted. */
  readonly credentialNeeds?: readonly CredentialNeed[];
  readonly createdAt: EpochSeconds;
  /** Absent of versions that were made before it was noted. */
  readonly origin?: VersionOrigin;
  readonly upload: Upload;
}

export interface VersionOrigin {
  /** `refresh`: this service, from a description that it fetched again. */
  readonly by: 'owner' | 'operator' | 'refresh';
  readonly comment?: string;
}

/** What a description was as bytes. */
export interface Upload {
  readonly mediaType: string;
  readonly encoding: Encoding;
}

/** A file of a version, whether or not that came to be. */
export interface VersionFile {
  readonly key: string;
  readonly deploymentId: string;
  readonly version: number;
  /** What of the version it holds, as the name says it. */
  readonly part: string;
  readonly createdAt: EpochSeconds;
}

export const Refreshed = z.object({
  at: z.int(),
  outcome: z.enum(['unchanged', 'published', 'held_back', 'failed']),
  /** Why it was held back, or what failed; for people. */
  why: z.exactOptional(z.string()),
  /** Of the text that was fetched last: what was seen before is not published by itself. */
  seen: z.exactOptional(z.string()),
  /** When the first look of those failed that have failed without a success since. */
  failingSince: z.exactOptional(z.int()),
  /** The text, or the failure, that the owner was sent a mail of. */
  toldOf: z.exactOptional(z.string()),
});
export type Refreshed = ValueOf<typeof Refreshed>;
