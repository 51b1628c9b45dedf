import type { CallIdentity } from '../../../activity/rules/call-record.ts';
import type { Plan } from '../../../limits/rules/plan.ts';
import type { ToolScope } from '../../../openapi/tool-scopes.ts';

/** Who a request comes from, and whom its limits count. */
export type Caller = Anonymous | TokenHolder;

/** Anybody, at a deployment of mode `none`. */
export interface Anonymous {
  readonly kind: 'anonymous';
  /** An IPv4 address, or the /64 of an IPv6 one. */
  readonly subject: string;
}

/** Whoever holds a token that is good here. */
export interface TokenHolder extends CallIdentity {
  readonly kind: 'holder';
  /** A user's id, or what stands for a user of an external issuer. */
  readonly subject: string;
  /** Whose limits count: the user's own, or the owner's for tokens that name no user of the service. */
  readonly plan: Plan;
  /** Whom usage of that plan is kept for, where that is not the subject. */
  readonly usage?: string;
  /** Whom it is kept for besides, where many share one plan. */
  readonly totalUsage?: string;
  readonly scopes: readonly ToolScope[];
  /** Where the way to more scopes begins. */
  readonly resourceMetadataUrl?: string;
}
