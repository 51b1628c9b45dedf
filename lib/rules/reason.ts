import type { CfnResource } from 'aws-cdk-lib';

/** Why some resources rightly do not follow a rule. */
export interface Reason {
  readonly rules: readonly string[];
  readonly type: string;
  /** Limits the reason to resources whose path matches. */
  readonly path?: RegExp;
  readonly when?: (resource: CfnResource) => boolean;
  readonly reason: string;
}
