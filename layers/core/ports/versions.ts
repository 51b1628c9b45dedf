import type { PublicationSettings } from '../domain/publication.ts';
import type { Finding } from '../domain/refusal.ts';
import type { EpochSeconds } from '../domain/time.ts';
import type { SearchIndex } from '../domain/search-index.ts';
import type { ToolIndex } from '../domain/tool-index.ts';
import type { ToolReport } from '../domain/tool-note.ts';

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

export interface StoredVersion {
  readonly deploymentId: string;
  readonly version: number;
  readonly index: ToolIndex;
  /** In search mode only. */
  readonly searchIndex?: SearchIndex;
  readonly report: ToolReport;
  /** The description as it was uploaded. */
  readonly description: string;
  /** Whether the description's schema keys allow the table; a compressed size of 350 KB or more never does (D31). */
  readonly inline: boolean;
  readonly notes: VersionNotes;
}

/** What is worth knowing of a version without reading it, and what returning to it takes. */
export interface VersionNotes {
  readonly toolCount: number;
  readonly apiBaseUrl: string;
  readonly sourceHash: string;
  readonly publication: PublicationSettings;
  readonly warnings: readonly Finding[];
  readonly createdAt: EpochSeconds;
}

/** That something of a version is stored, and since when. */
export interface StoredPart {
  readonly version: number;
  readonly since: EpochSeconds;
}

export interface Versions {
  /**
   * Stores a version once and for ever. File names carry the content's hash, so that of two racing
   * publications neither overwrites what the other has stored.
   *
   * @returns false if the deployment already has a version of this number: nothing is overwritten
   */
  put(version: StoredVersion): Promise<boolean>;
  notes(deploymentId: string, version: number): Promise<VersionNotes | undefined>;
  /** The description as it was uploaded. */
  description(deploymentId: string, version: number): Promise<string | undefined>;
  /** Of all versions that have been stored, also of those that never came to be served. */
  stored(deploymentId: string): Promise<readonly StoredPart[]>;
  remove(deploymentId: string, version: number): Promise<void>;
  /** All that was ever stored under this id, resources and prompts included. May be repeated. */
  removeAll(deploymentId: string): Promise<void>;
}
