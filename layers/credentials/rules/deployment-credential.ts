import type { EpochSeconds } from '../../platform/rules/time.ts';

/** A credential without its value, which stands in a store of its own. */
export type DeploymentCredential = (
  | { readonly type: 'bearer' | 'basic' }
  | {
      readonly type: 'api_key';
      readonly name: string;
      readonly in: 'header' | 'query' | 'cookie';
    }
) & {
  /** The only ones that it may be sent to; what the service sends obeys the list that is sealed with the value. */
  readonly origins: readonly string[];
  /** A new one each time that the credential is set. */
  readonly version: string;
  readonly setAt: EpochSeconds;
  /** When it was seen that the target refuses it, and its owner was told. It may take it again since. */
  readonly refusedAt?: EpochSeconds;
};
