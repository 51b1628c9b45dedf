import type { Deployment } from '../rules/deployment.ts';
import type { SlugReservation } from '../../platform/rules/addresses.ts';
import type { User } from '../../accounts/rules/user.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import type { StoredVersion } from '../rules/versions.ts';
export interface Deployments {
  /** The answer may be up to 15 s old. */
  find(slug: string): Promise<Deployment | undefined>;
  /** The answer is at most a second old. */
  findAgain(slug: string): Promise<Deployment | undefined>;
  /** Whether `find` would answer from memory. */
  knows(slug: string): boolean;
  /** Newest first, paused ones included. Eventually consistent: `find` decides. */
  listByOwner(ownerId: string): Promise<readonly Deployment[]>;
}

/**
 * Write side of deployments, for the management function. Each change is one transaction, which also updates the
 * owner's active slugs and the stored versions. Reads are strongly consistent.
 */
export interface DeploymentEditor {
  read(slug: string): Promise<Deployment | undefined>;
  /** Reservation of a removed deployment's slug; may have expired. */
  reservation(slug: string): Promise<SlugReservation | undefined>;
  /** Takes a slug that the owner has reserved; one reserved by somebody else counts as taken. */
  create(
    deployment: Deployment,
    terms?: ChangeTerms,
  ): Promise<'created' | 'slug_taken' | 'owner_gone' | 'limit_reached'>;
  /**
   * Writes `after` if the stored revision is that of `before`. Versions that left the history are removed. A transfer
   * removes it from the former owner's active slugs.
   */
  replace(
    before: Deployment,
    after: Deployment,
    terms?: ChangeTerms,
  ): Promise<'replaced' | 'stale' | 'limit_reached'>;
  /** Idempotent. The slug stays reserved, and the id is kept until the sweep has removed its contents. */
  remove(
    deployment: Pick<Deployment, 'credentialNames' | 'id' | 'slug' | 'ownerId'>,
    now: EpochSeconds,
  ): Promise<void>;
  /** Newest first, with those that are being removed. Eventually consistent. */
  listByOwner(ownerId: string, page: PageQuery): Promise<Page<Deployment>>;
  activeSlugs(ownerId: string): Promise<readonly string[]>;
  /** Ids of deployments that were transferred to others. */
  givenAway(ownerId: string): Promise<readonly string[]>;
  /** Removes the record of an owner who is gone, unless a deployment is active. */
  forgetOwner(ownerId: string): Promise<void>;
}

export interface ChangeTerms {
  readonly version?: StoredVersion;
  /** Limit on the owner's active deployments, this one included; unlimited if absent. */
  readonly maxActive?: number;
  /** Owner, or next owner, who must neither have signed out everywhere nor been removed meanwhile. */
  readonly owner?: Pick<User, 'id' | 'signedOutAt'>;
  /** Further writes of the transaction, without conditions of their own. */
  readonly together?: Readonly<Record<string, Write>>;
}

/** `after` is the position of the next page. */
export type UnfinishedRemoval = { readonly after: string } & (
  | { readonly kind: 'removing'; readonly deployment: Deployment }
  | { readonly kind: 'removed'; readonly removed: RemovedDeployment }
  | { readonly kind: 'unreadable' }
);

export interface RemovedDeployment {
  readonly deploymentId: string;
  readonly removedAt: EpochSeconds;
  readonly credentialNames?: readonly string[];
}
