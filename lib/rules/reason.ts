import type { CfnResource } from 'aws-cdk-lib';

/** A rule that some resources do not follow, and why that is right. */
export interface Reason {
  readonly rules: readonly string[];
  /** Of CloudFormation. */
  readonly type: string;
  /** A part of the path of those that are meant; all of the type otherwise. */
  readonly path?: RegExp;
  readonly when?: (resource: CfnResource) => boolean;
  readonly reason: string;
}
