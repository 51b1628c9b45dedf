import type { CallOutcome } from '../../../events/rules/call-outcome.ts';
import type { CallIdentity, CallRecord, LoggedCall } from '../../../events/rules/call-record.ts';
import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import { MAIN } from '../../../credentials/rules/credential-name.ts';
import { NoAnswer, type NoAnswerReason, type TargetAnswer } from '../../../target/rules/target.ts';
import type { AnswerContent } from '../../../tools/answer/answer-content.ts';
import { resultTokens, type ToolResult } from '../../../tools/answer/tool-result.ts';
import type { PreparedTool } from '../../../tools/prepare-tool.ts';
import { callFaults } from './call-faults.ts';
import type { Caller, CallPorts, HeldCredential, RpcCall, WriteRecord } from '../rpc-call.ts';

/**
 * Records a tool call twice: before it is sent, so that it is on record even if this function dies, and when it
 * ended, before anybody is answered. A call that is never sent has only the second record. Errors are rethrown.
 * Source: docs/decisions/storage.md, "Calls are accountable".
 */
export const callRecorder = (
  { clock }: Pick<CallPorts, 'clock'>,
  call: RpcCall,
  {
    tool,
    method,
    write,
  }: {
    readonly tool: PreparedTool;
    /** HTTP method of the operation, for tools that stand for one. */
    readonly method?: string;
    readonly write: WriteRecord;
  },
) => {
  const record = (outcome: CallOutcome, durationMs: number, more: Partial<CallRecord> = {}): void =>
    write(
      callRecord(call, {
        at: clock.now(),
        tool: tool.name,
        ...(method !== undefined && { method }),
        outcome,
        durationMs,
        ...more,
      }),
    );

  return {
    /** @param words - of a search that found nothing */
    answeredHere: (result: ToolResult, words: readonly string[] = []): void =>
      record('ok', 0, { ...tokensOf(result), ...(words.length > 0 && { words }) }),

    refused: (error: unknown): never => {
      const faults = callFaults(tool, error);
      record('refused', 0, { reason: reasonOf(error), ...(faults.length > 0 && { faults }) });
      throw error;
    },

    sending: (credentials: readonly HeldCredential[]) => {
      const at = clock.now();
      const startedMs = clock.elapsedMs();
      const carried = carriedBy(credentials);
      record('unfinished', 0, { at, ...carried });
      // Both records have the same `at`, which pairs them.
      const elapsedMs = () => Math.round(clock.elapsedMs() - startedMs);
      return {
        /** @param contentOf - converts the answer; if it throws, the call is still recorded as made */
        answered: (
          answer: TargetAnswer,
          contentOf: (answer: TargetAnswer) => AnswerContent,
        ): AnswerContent => {
          const { status, cut } = answer;
          const reason = cut?.by && ANSWER_CUT[cut.by];
          const known = { at, status, ...(reason && { reason }), ...carried };
          const durationMs = elapsedMs();
          let content: AnswerContent | undefined;
          try {
            content = contentOf(answer);
            return content;
          } finally {
            const problem = content?.problem;
            const isError = status >= 400 || problem !== undefined;
            record(isError ? 'target_error' : 'ok', durationMs, {
              ...known,
              ...(problem && { reason: problem }),
              ...(content && tokensOf(content.result)),
            });
          }
        },
        failed: (error: unknown): never => {
          const reason = reasonOf(error);
          const known = { at, reason, ...(!WITHHELD.has(reason) && carried) };
          record('no_answer', elapsedMs(), known);
          throw error;
        },
      };
    },
  };
};

/** A call with only the credential `main`, as stored, is recorded with its version alone. */
const carriedBy = (
  credentials: readonly HeldCredential[],
): Pick<CallRecord, 'credentials' | 'credentialVersion'> => {
  const [first, ...others] = credentials;
  if (!first) return {};
  if (
    others.length === 0 &&
    first.name === MAIN &&
    first.described.type === first.credential.type
  ) {
    return { credentialVersion: first.described.version };
  }
  return {
    credentials: credentials.map(({ name, described: { type, version } }) => ({
      name,
      type,
      version,
    })),
  };
};

export const callRecord = (
  {
    deployment,
    caller,
    sender,
    index,
    isTrial,
    traceContext,
  }: Pick<RpcCall, 'deployment' | 'caller' | 'sender' | 'index' | 'isTrial' | 'traceContext'>,
  { at, tool, outcome, durationMs, ...more }: Known,
): LoggedCall => ({
  at,
  requestId: sender.requestId,
  index,
  deploymentId: deployment.id,
  version: deployment.version,
  tool,
  outcome,
  ...(isTrial && { trial: true }),
  ...(deployment.network !== undefined && { network: deployment.network }),
  durationMs,
  ...identityOf(caller),
  ip: sender.ip,
  slug: deployment.slug,
  ...(traceContext && { trace: traceContext.traceparent }),
  ...more,
});

type Known = Pick<CallRecord, 'at' | 'tool' | 'outcome' | 'durationMs'> & Partial<LoggedCall>;

const tokensOf = (result: ToolResult): Pick<CallRecord, 'answerTokens'> => {
  const answerTokens = resultTokens(result);
  return answerTokens === undefined ? {} : { answerTokens };
};

const ANSWER_CUT = { time: 'answer_cut_timeout', connection: 'answer_cut_connection' } as const;

/** Reasons for which at least the credential was not sent. */
const WITHHELD: ReadonlySet<string> = new Set<NoAnswerReason>([
  'invalid_request',
  'blocked_address',
  'unknown_network',
  'network_busy',
  'host_not_in_network',
  'address_not_in_network',
  'too_large_for_network',
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

const reasonOf = (error: unknown): string => {
  if (error instanceof NoAnswer) return error.reason;
  if (!(error instanceof RpcRefusal)) return 'internal_error';
  const { code, data } = error;
  return typeof data?.['reason'] === 'string' ? data['reason'] : code;
};
