import type { CallIdentity, CallOutcome, CallRecord } from '../../../domain/activity/index.ts';
import { RpcRefusal } from '../../../domain/refusal.ts';
import {
  type Credential,
  NoAnswer,
  type NoAnswerReason,
  type TargetAnswer,
} from '../../../domain/target/target.ts';
import { InvalidArguments } from '../../../domain/tools/index.ts';
import type { MethodPorts, RpcCall } from '../rpc-call.ts';
import type { Caller } from './caller.ts';

/**
 * Writes down a call of a tool: a line before it is sent, so that it is on record whatever becomes of this
 * function, and one that says how it ended, before anybody is answered. What is not sent has the latter alone.
 * Errors go on.
 *
 * Source: docs/decisions.md, "Calls are accountable".
 */
export const callAccount = (
  { callLog, clock }: Pick<MethodPorts, 'callLog' | 'clock'>,
  { deployment, caller, sender, index, isTrial }: RpcCall,
  tool: string,
) => {
  const write = (outcome: CallOutcome, durationMs: number, more: Partial<CallRecord> = {}): void =>
    callLog.write({
      at: clock.now(),
      requestId: sender.requestId,
      index,
      deploymentId: deployment.id,
      version: deployment.version,
      tool,
      outcome,
      ...(isTrial && { trial: true }),
      durationMs,
      ...identityOf(caller),
      ip: sender.ip,
      ...more,
    });

  return {
    /** It needed no target. */
    answeredHere: (): void => write('ok', 0),

    /** Nothing was sent. */
    refused: (error: unknown): never => {
      const missing = error instanceof InvalidArguments ? error.missing : [];
      write('refused', 0, { reason: reasonOf(error), ...(missing.length > 0 && { missing }) });
      throw error;
    },

    /** It is sent now. */
    sending: (credential: Credential | undefined) => {
      const at = clock.now();
      const startedMs = clock.elapsedMs();
      const carried = credential &&
        deployment.credential && { credentialVersion: deployment.credential.version };
      write('unfinished', 0, { at, ...carried });
      // Both lines have the same time, so that they are known to be of one call.
      const ended = (outcome: CallOutcome, more: Partial<CallRecord>) =>
        write(outcome, Math.round(clock.elapsedMs() - startedMs), { at, ...more });
      return {
        answered: (answer: TargetAnswer): TargetAnswer => {
          const { status, cut } = answer;
          const reason = cut?.by && ANSWER_CUT[cut.by];
          const outcome = status < 400 ? 'ok' : 'target_error';
          ended(outcome, { status, ...(reason && { reason }), ...carried });
          return answer;
        },
        failed: (error: unknown): never => {
          const reason = reasonOf(error);
          ended('no_answer', { reason, ...(!WITHHELD.has(reason) && carried) });
          throw error;
        },
      };
    },
  };
};

/** Only a part of the answer came. */
const ANSWER_CUT = { time: 'answer_cut_timeout', connection: 'answer_cut_connection' } as const;

/** Reasons for which the credential, at least, was not sent. */
const WITHHELD: ReadonlySet<string> = new Set<NoAnswerReason>([
  'invalid_request',
  'blocked_address',
  'credential_not_for_this_host',
  'no_time_left',
]);

const identityOf = (caller: Caller): CallIdentity => {
  if (caller.kind === 'anonymous') return { subject: caller.subject };
  const { subject, clientId, grantId, tokenId } = caller;
  return {
    subject,
    ...(clientId !== undefined && { clientId }),
    ...(grantId !== undefined && { grantId }),
    ...(tokenId !== undefined && { tokenId }),
  };
};

/** In names that are ours. */
const reasonOf = (error: unknown): string => {
  if (error instanceof NoAnswer) return error.reason;
  if (!(error instanceof RpcRefusal)) return 'internal_error';
  const { code, data } = error;
  return typeof data?.['reason'] === 'string' ? data['reason'] : code;
};
