import type { Deployment } from '../rules/deployment.ts';
import type { SlugReservation } from '../../platform/rules/addresses.ts';
import type { User } from '../../accounts/rules/user.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import type { StoredVersion } from '../rules/versions.ts';
export interface Deployments {
  /** May be up to 15 s old. `undefined`: no such slug. */
  find(slug: string): Promise<Deployment | undefined>;
  /** As it is now; what was read within this second is not read again. */
  findAgain(slug: string): Promise<Deployment | undefined>;
  /** Whether `find` would answer from memory, so that nothing has to be done while it reads. */
  knows(slug: string): boolean;
  /** For a person to choose from: paused ones too, the newest first. May lag behind a moment; `find` decides. */
  listByOwner(ownerId: string): Promise<readonly Deployment[]>;
}

/**
 * The write side, as the management function has it. Each change is one transaction, in which the slugs
 * of the owner's active deployments and the versions that can be returned to change with the deployment.
 * Reads are strongly consistent.
 */
export interface DeploymentEditor {
  read(slug: string): Promise<Deployment | undefined>;
  /** Of a deployment that was removed; may have ended. */
  reservation(slug: string): Promise<SlugReservation | undefined>;
  /** Ends its owner's reservation of the slug; one of somebody else is as good as a deployment. */
  create(
    deployment: Deployment,
    terms?: ChangeTerms,
  ): Promise<'created' | 'slug_taken' | 'owner_gone' | 'limit_reached'>;
  /**
   * Writes `after` if what is stored is still `before`. Versions that left the history are removed. One that another
   * owner gets is no more among the active ones of the owner before.
   */
  replace(
    before: Deployment,
    after: Deployment,
    terms?: ChangeTerms,
  ): Promise<'replaced' | 'stale' | 'limit_reached'>;
  /** Also if it is gone. The slug stays reserved, and the id is remembered until the sweep forgets it. */
  remove(
    deployment: Pick<Deployment, 'credentialNames' | 'id' | 'slug' | 'ownerId'>,
    now: EpochSeconds,
  ): Promise<void>;
  /** The newest first, those that are being removed too. May lag behind a moment. */
  listByOwner(ownerId: string, page: PageQuery): Promise<Page<Deployment>>;
  activeSlugs(ownerId: string): Promise<readonly string[]>;
  /** Ids of those that were transferred to others. */
  givenAway(ownerId: string): Promise<readonly string[]>;
  /** Of an owner who is gone. Does nothing while any deployment is active. */
  forgetOwner(ownerId: string): Promise<void>;
}

export interface ChangeTerms {
  /** The version that it serves from now on. */
  readonly version?: StoredVersion;
  /** How many active deployments the owner may have, where this is one more; any number if omitted. */
  readonly maxActive?: number;
  /** Nothing is written once this user, whose it is or is to be, has been signed out, or removed. */
  readonly owner?: Pick<User, 'id' | 'signedOutAt'>;
  /** What is written in the same transaction, under no condition of its own. */
  readonly together?: Readonly<Record<string, Write>>;
}

/** `after` is where a list goes on behind it. */
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
