import type { User } from '@hosted-mcp/core/accounts';
import type { AuthorizationRequest } from '@hosted-mcp/core/oauth';

/** An authorization request and its ticket. */
export interface OpenRequest {
  readonly ticket: string;
  readonly request: AuthorizationRequest;
}

/** One that stands before the person who answers it. */
export interface Asked extends OpenRequest {
  readonly user: User;
  /** The secret of the browser's session. */
  readonly session: string;
}

/** How a consent page is shown, perhaps a second time. */
export interface Again {
  readonly status: number;
  /** Why. */
  readonly again?: string;
  readonly chosen?: { readonly listed: string; readonly typed: string; readonly wrong: string };
}
