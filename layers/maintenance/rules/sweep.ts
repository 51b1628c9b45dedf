import type { Refresh } from '../../servers/rules/settings.ts';
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

/** A deployment that somebody may have to look after. */
export interface WatchedDeployment {
  readonly id: string;
  readonly slug: string;
  /** The version of the credential; absent where there is none, or its owner knows already that it is refused. */
  readonly untoldCredential?: string;
  /** How often its description is fetched again. */
  readonly refresh: Refresh;
}
