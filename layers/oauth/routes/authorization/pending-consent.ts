import type { Recording } from '../../../deployments/rules/recording.ts';
import type { BrowserSession } from '../../../accounts/steps/sessions.ts';
import type { AuthorizationRequest } from '../../../tokens/rules/oauth-records.ts';

export interface OpenRequest {
  readonly ticket: string;
  readonly request: AuthorizationRequest;
}

/** One that stands before the person who answers it. */
export interface ConsentContext extends OpenRequest {
  readonly session: BrowserSession;
}

export interface Redisplay {
  readonly status: number;
  readonly again?: string;
  /** That calls of the server that was chosen are recorded, which the page did not say. */
  readonly recording?: Recording;
  readonly chosen?: { readonly listed: string; readonly typed: string; readonly wrong?: string };
}
