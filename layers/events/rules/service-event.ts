import type { Plan } from '../../limits/rules/plan.ts';
import type { PlanWindow } from '../../limits/rules/windows.ts';
import type {
  CONNECTION_OUTCOMES,
  CREDENTIAL_OUTCOMES,
} from '../../platform/rules/metrics/metrics.ts';

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
      /** An owner changed a deployment. Source: docs/decisions/management.md, "Who changed what". */
      readonly type: 'change';
      readonly deploymentId: string;
      readonly slug: string;
      readonly subject: string;
      /** `operationId` in the management API. */
      readonly operation: string;
      /** Names of the sent members without values, separated by commas. */
      readonly members?: string;
    }
  | {
      /** A user has reached 80 percent of a window of the plan. */
      readonly type: 'quota_warning';
      readonly deploymentId: string;
      readonly slug: string;
      readonly subject: string;
      readonly plan: Plan;
      readonly window: PlanWindow;
      readonly limit: number;
    }
  | {
      /** A credential was requested, successfully or not. Source: docs/decisions/credentials.md, "Credentials". */
      readonly type: 'credential_access';
      readonly deploymentId: string;
      readonly name?: string;
      readonly version: string;
      readonly user: string;
      readonly ip: string;
      readonly userAgent?: string | undefined;
      readonly requestId: string;
      /** Instance of the router. */
      readonly instance: string;
      readonly outcome: (typeof CREDENTIAL_OUTCOMES | typeof CONNECTION_OUTCOMES)[number];
      readonly why?: string;
      /** Kind of a credential whose tokens others issue. */
      readonly kind?: string;
      /** Error code of the token's issuer. */
      readonly code?: string;
      readonly durationMs: number;
    }
  | {
      readonly type: 'security';
      readonly event: SecurityEvent;
      /** Puts the event on a deployment's time line. */
      readonly deploymentId?: string;
      readonly slug?: string;
      /** Puts the event on an account's time line. */
      readonly accountId?: string;
      readonly subject: string;
      /** Account of the operator who did it in the console; absent for invoked commands. */
      readonly operatorId?: string;
      readonly why: string;
    }
  | {
      /**
       * Somebody whom IAM allows it invoked a function with an operator's command; it is on no time line. Source:
       * docs/decisions/accounts.md, "Operators leave traces".
       */
      readonly type: 'operator_command';
      readonly subject: 'operators';
      readonly command: string;
      /** E-mail address, slug or account id. */
      readonly target: string;
      readonly outcome: (typeof COMMAND_OUTCOMES)[number];
      readonly code?: string;
      /** ARN as the invoker claims it, unverified. */
      readonly claimedActor: string;
      /** AWS request id of the invocation, which CloudTrail has, too. */
      readonly requestId?: string;
    };

/**
 * A security event for an account's time line.
 * @param done - the reason, and the operator who did it
 * @param subject - the IP address; by default the account
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
