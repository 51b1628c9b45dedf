import type { Recording } from '../../../deployments/rules/recording.ts';
import type { BrowserSession } from '../../../accounts/steps/sessions.ts';
import type { AuthorizationRequest } from '../../../tokens/rules/oauth-records.ts';

export interface OpenRequest {
  readonly ticket: string;
  readonly request: AuthorizationRequest;
}

export interface ConsentContext extends OpenRequest {
  readonly session: BrowserSession;
}

export interface Redisplay {
  readonly status: number;
  readonly again?: string;
  /** Recording of calls by the chosen server, which the page has not shown yet. */
  readonly recording?: Recording;
  readonly chosen?: { readonly listed: string; readonly typed: string; readonly wrong?: string };
}
