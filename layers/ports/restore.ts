import type { Deployment } from '../servers/rules/deployment.ts';
import type { Page, PageQuery } from './management.ts';

/** The rows of deployments and of their owners, for whoever compares them with what else is stored. */
export interface StoredRows {
  /** In no order that means anything, but always in the same one. A page may be empty with others after it. */
  page(page: PageQuery): Promise<Page<StoredRow>>;
  deployment(slug: string): Promise<Deployment | 'unreadable' | undefined>;
  activeSlugs(ownerId: string): Promise<readonly string[]>;
}

/** Which row it is; `after` is where a list goes on behind it. */
export type StoredRow = { readonly after: string } & (
  | { readonly kind: 'deployment'; readonly slug: string }
  | { readonly kind: 'owner'; readonly ownerId: string }
);

export interface Inventories {
  /** What is stored of a deployment's versions, resources and prompts, and its files. */
  of(deploymentId: string): Promise<Inventory>;
}

export interface Inventory {
  readonly parts: readonly InventoryPart[];
  /** Names of resources that nobody finds by their uri. */
  readonly notFoundByUri: readonly string[];
  /** Names of resources for which uris are kept that they do not have. */
  readonly uriWithoutResource: readonly string[];
  readonly resources: Counted;
  readonly prompts: Counted;
}

/** A part of a version, as its row has it. */
interface InventoryPart {
  readonly version: number;
  /** As in the row's key: `INDEX`. */
  readonly part: string;
  /** The file that holds it, where the row does not, and whether that is there. */
  readonly file?: { readonly key: string; readonly isThere: boolean };
}

export interface Counted {
  readonly stored: number;
  /** In the item of the totals. */
  readonly counted: number;
}

/** What is known of stored credentials without reading one. */
export interface CredentialVersions {
  /** @returns undefined if there is none */
  find(deploymentId: string): Promise<CredentialVersionState | undefined>;
}

export interface CredentialVersionState {
  /** Those that a deployment may use. */
  readonly versions: readonly string[];
  /** It can be restored, and not be used meanwhile. */
  readonly isDeleted: boolean;
}

export interface StoredTables {
  /** Those that are not there, of all that the maintenance function reads. */
  missing(): Promise<readonly MissingTable[]>;
}

export interface MissingTable {
  /** As AWS knows it. */
  readonly name: string;
  /** Nothing else can be compared without it. */
  readonly isCompared: boolean;
}
