import type { Plan } from '../../limits/rules/plan.ts';
import type { PlanWindow } from '../../limits/rules/windows.ts';
import type {
  CONNECTION_OUTCOMES,
  CREDENTIAL_OUTCOMES,
} from '../../platform/rules/metrics/metrics.ts';

/** What concerns security, by name. */
export const SECURITY_EVENTS = [
  'ip_blocked',
  'blocked_target_address',
  'authentication_failed',
  'login_failed',
  'account_locked',
  'password_reset',
  'password_exception_used',
  'break_glass_used',
  'personal_token_made',
  'personal_token_ended',
  'trust_made',
  'trust_ended',
  'machine_refused',
  'command_line_signed_in',
  'console_link_used',
  'access_granted',
  'access_denied',
  'client_authentication_failed',
  'identity_assertion_refused',
  'company_sign_in_refused',
  'company_check_failed',
  'person_refused',
  'person_back',
  'person_ended',
  'company_link_allowed',
  'code_replayed',
  'refresh_token_reused',
  'grant_revoked',
  'ip_unblocked',
  'account_ended',
  'account_made',
  'email_changed',
  'identity_linked',
  'identity_forgotten',
  'deployment_stopped',
  'deployment_released',
  'deployment_transferred',
  'plan_changed',
  'recorded_calls_read',
  'operator_made',
  'operator_ended',
  'mail_undeliverable',
  'mail_allowed',
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

export const COMMAND_OUTCOMES = ['done', 'refused', 'failed'] as const;

export type ServiceEvent =
  | {
      /**
       * Its owner changed something of a deployment. Source: docs/decisions/management.md, "Who
       * changed what".
       */
      readonly type: 'change';
      readonly deploymentId: string;
      readonly slug: string;
      readonly subject: string;
      /** Of the management API, by its operationId. */
      readonly operation: string;
      /** Names of the members that were sent, and none of their values; separated by commas. */
      readonly members?: string;
    }
  | {
      /** A user has used 80 percent of a window of the plan. */
      readonly type: 'quota_warning';
      readonly deploymentId: string;
      readonly slug: string;
      readonly subject: string;
      readonly plan: Plan;
      readonly window: PlanWindow;
      readonly limit: number;
    }
  | {
      /**
       * A credential was asked for, with success or without.
       * Source: docs/decisions/credentials.md, "Credentials".
       */
      readonly type: 'credential_access';
      readonly deploymentId: string;
      readonly name?: string;
      readonly version: string;
      readonly user: string;
      readonly ip: string;
      readonly userAgent?: string | undefined;
      readonly requestId: string;
      /** The instance of the router. */
      readonly instance: string;
      readonly outcome: (typeof CREDENTIAL_OUTCOMES | typeof CONNECTION_OUTCOMES)[number];
      readonly why?: string;
      /** Of a credential that others give tokens for. */
      readonly kind?: string;
      /** What they call their error. */
      readonly code?: string;
      readonly durationMs: number;
    }
  | {
      readonly type: 'security';
      readonly event: SecurityEvent;
      /** Of the deployment on whose time line it belongs; absent if it belongs on none. */
      readonly deploymentId?: string;
      readonly slug?: string;
      /** Of the user on whose own time line it belongs; absent if it belongs on none. */
      readonly accountId?: string;
      readonly subject: string;
      /** Of the operator's account that did it at the console; absent where a function was invoked. */
      readonly operatorId?: string;
      readonly why: string;
    }
  | {
      /**
       * Somebody whom IAM lets invoke a function sent a command of operators; it is on no time line.
       * Source: docs/decisions/accounts.md, "Operators leave traces".
       */
      readonly type: 'operator_command';
      readonly subject: 'operators';
      readonly command: string;
      /** Whom or what it is about: an address, a slug, an account's id. */
      readonly target: string;
      readonly outcome: (typeof COMMAND_OUTCOMES)[number];
      /** Of a refusal. */
      readonly code?: string;
      /** An ARN, as the sender says it: whoever may invoke a function may send any. */
      readonly claimedActor: string;
      /** AWS's id of the invocation, by which CloudTrail has it, too. */
      readonly requestId?: string;
    };

/**
 * What concerns security of an account, for the time line of its own.
 *
 * @param done - why, and which operator did it
 * @param subject - the address that it came from; the account itself if omitted
 */
export const accountEvent = (
  event: SecurityEvent,
  { id }: { readonly id: string },
  done: string | { readonly why: string; readonly operatorId?: string },
  subject = id,
): ServiceEvent => ({
  type: 'security',
  event,
  accountId: id,
  subject,
  ...(typeof done === 'string' ? { why: done } : done),
});
