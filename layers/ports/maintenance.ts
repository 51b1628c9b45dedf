import type { Deployment } from '../servers/rules/deployment.ts';
import type { Refresh } from '../servers/rules/settings.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';
import type { DeploymentEditor } from './deployments.ts';
import type { Page, PageQuery } from './management.ts';

/** What removals have left, as the maintenance function has it: it reads whole tables, page after page. */
export interface UnfinishedRemovals {
  /** In no order that means anything, but always in the same one. A page may be empty with others after it. */
  page(page: PageQuery): Promise<Page<UnfinishedRemoval>>;
  remove: DeploymentEditor['remove'];
  /** That a deployment was removed. */
  forget(deploymentId: string): Promise<void>;
}

/** `after` is where a list goes on behind it. */
export type UnfinishedRemoval = { readonly after: string } & (
  | { readonly kind: 'removing'; readonly deployment: Deployment }
  | { readonly kind: 'removed'; readonly removed: RemovedDeployment }
  | { readonly kind: 'unreadable' }
);

interface RemovedDeployment {
  readonly deploymentId: string;
  readonly removedAt: EpochSeconds;
}

/** How far a round of the sweep has come. */
export interface SweepPosition {
  /** Another one with every step forward. */
  readonly id: string;
  readonly step: SweepStep;
  /** What was looked at last; absent at the beginning of a step. */
  readonly after?: string | undefined;
}

/** What a round looks through, one after the other. */
export type SweepStep = 'deployments' | 'files';

export interface SweepProgress {
  /** @returns undefined if no round is under way */
  read(): Promise<SweepPosition | undefined>;
  /**
   * @param from - as it was read; undefined begins a round
   * @param to - undefined ends it
   * @returns false if another invocation was faster: it goes on from there
   */
  advance(from: SweepPosition | undefined, to: SweepPosition | undefined): Promise<boolean>;
}

/** A deployment that somebody may have to look after. */
export interface WatchedDeployment {
  readonly id: string;
  readonly slug: string;
  /** The version of the credential; absent where there is none, or its owner knows already that it is refused. */
  readonly untoldCredential?: string;
  /** How often its description is fetched again. */
  readonly refresh: Refresh;
}

/** Deployments that are served and have a credential, or whose description is fetched again. */
export interface WatchedDeployments {
  /** In no order that means anything, but always in the same one. A page may be empty with others after it. */
  page(page: PageQuery): Promise<Page<WatchedDeployment>>;
}

/** Asks management to take care of a deployment, which nobody waits for. */
export interface CareRequests {
  /** Resolves when the request is kept, which says nothing of what comes of it. */
  send(slug: string): Promise<void>;
}
