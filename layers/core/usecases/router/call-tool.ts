import { CredentialUnavailable } from '../../domain/credential-access.ts';
import { RpcRefusal } from '../../domain/refusal.ts';
import { readString, unknownName } from '../../domain/rpc/index.ts';
import { NoAnswer, type NoAnswerReason, type TargetAnswer } from '../../domain/target.ts';
import {
  answerContent,
  buildRequest,
  maskAnswer,
  MOST_RESULT_BYTES,
  readArguments,
} from '../../domain/tools/index.ts';
import type { CallEnd, Ports } from '../../ports.ts';
import { keepRest, keepsRest } from './kept-answers.ts';
import type { Method, RpcCall } from './rpc-call.ts';
import { toolShelf } from './tool-shelf.ts';

/**
 * `tools/call`: makes the HTTP request that the tool stands for.
 *
 * @throws RpcRefusal invalid_params; server_error with `data.reason` if the credential cannot be had, or
 *   the target gave no answer
 *
 * Source: spec, "JSON-RPC methods"; D6; TL1, TL2.
 */
export const callTool: Method = async (ports, call) => {
  const name = readString(call.params, 'name');
  const tool = (await toolShelf(ports, call.deployment)).find(name);
  if (!tool) throw unknownName('tool', name);
  call.trace.tool = name;

  const args = readArguments(tool, call.params['arguments']);
  const credential = await call.credential().catch(withoutCredential(call));
  const request = buildRequest(tool, args, credential);
  const sent = invocation(ports, call, name);
  // Stored while the target is at work, so that nobody waits for it.
  const counted = ports.toolCounts.began({ deploymentId: call.deployment.id, tool: name });
  const answer = await ports.targetApi
    .send(call.deployment.id, request)
    .then(sent.answered, sent.failed)
    .finally(() => counted);
  // Masked before it is cut and kept, so that no part of a secret is left where one part ends.
  const content = answerContent(maskAnswer(answer, credential), {
    method: request.method,
    maxBytes: ports.settings.limits.target_response_max_bytes,
    maxWireBytes: keepsRest(ports.settings, call) ? call.room.left() : MOST_RESULT_BYTES,
  });
  call.room.take(content.result);
  const result = await keepRest(ports, call, content);
  if (result.isError) call.trace.outcome = 'target_error';
  return JSON.stringify(result);
};

const FAILURES: Readonly<Record<NoAnswerReason, string>> = {
  invalid_request: 'The arguments do not make a request that can be sent to the target API.',
  blocked_address: "The target API's address is not a public one, so the request was not sent.",
  dns_failure: "The target API's host name could not be resolved.",
  connection_refused: 'The target API refused the connection.',
  connection_failed: 'The connection to the target API failed.',
  tls_failure: 'No secure connection to the target API could be made.',
  timeout: 'The target API did not answer in time.',
  redirect_refused: 'The target API redirected to where the request may not follow.',
  invalid_response: 'The target API did not answer with valid HTTP.',
  too_large: 'The answer of the target API is too large.',
};

/** What its target would refuse is not sent. */
const withoutCredential =
  ({ trace }: RpcCall) =>
  (error: unknown): never => {
    if (!(error instanceof CredentialUnavailable)) throw error;
    trace.why = error.message;
    const reason = 'credential_unavailable';
    const told = "This server's credential for its target API cannot be had now. Try again later.";
    throw new RpcRefusal('server_error', told, { reason }, error.message);
  };

/** Remembers how a call to the target ended. */
const invocation = (
  { clock, events, toolCounts }: Pick<Ports, 'clock' | 'events' | 'toolCounts'>,
  { deployment: { id: deploymentId, slug }, caller }: RpcCall,
  tool: string,
) => {
  const startedMs = clock.elapsedMs();
  const ended = (
    outcome: CallEnd['outcome'],
    more: { status?: number; reason?: NoAnswerReason },
  ) => {
    const durationMs = Math.round(clock.elapsedMs() - startedMs);
    toolCounts.ended({ deploymentId, tool }, { outcome, durationMs });
    const type = 'tool_invocation';
    events.record({ type, deploymentId, slug, tool, outcome, durationMs, ...more });
  };
  return {
    answered: (answer: TargetAnswer): TargetAnswer => {
      const { status } = answer;
      ended(status < 400 ? 'ok' : 'target_error', { status });
      return answer;
    },
    failed: (error: unknown): never => {
      if (!(error instanceof NoAnswer)) throw error;
      const { reason } = error;
      ended('no_answer', { reason });
      if (reason === 'blocked_address') {
        const event = 'blocked_target_address';
        const { subject } = caller;
        events.record({ type: 'security', event, deploymentId, slug, subject, why: reason });
      }
      throw new RpcRefusal('server_error', FAILURES[reason], { reason }, reason);
    },
  };
};
