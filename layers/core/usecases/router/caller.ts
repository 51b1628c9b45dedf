import type { Plan } from '../../domain/plan.ts';
import type { ToolScope } from '../../domain/tool-scopes.ts';

/** Who a request comes from, and whom its limits count. */
export type Caller = Anonymous | Holder;

/** Anybody, at a deployment of mode `none`. */
export interface Anonymous {
  readonly kind: 'anonymous';
  /** An IPv4 address, or the /64 of an IPv6 one. */
  readonly subject: string;
}

/** Whoever holds a token that is good here. */
export interface Holder {
  readonly kind: 'holder';
  /** A user's id, or what stands for a user of an external issuer (D39). */
  readonly subject: string;
  /** Whose limits count: the user's own, or the owner's for tokens that name no user of the service. */
  readonly plan: Plan;
  readonly scopes: readonly ToolScope[];
  /** Where the way to more scopes begins. */
  readonly resourceMetadataUrl?: string;
}
