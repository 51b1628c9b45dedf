import { scopesNeeded } from '../../tokens/rules/scopes.ts';
import type { Deployment } from '../../servers/rules/deployment.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { checkFits } from '../../platform/http/reply.ts';
import { completeResult, modernErrorText } from '../../platform/rules/json-rpc/modern-answer.ts';
import { modernMethodNotFound } from '../rules/message/supported-methods.ts';
import type { ModernMessage } from '../rules/message/modern-message.ts';
import { resultText } from '../../platform/rules/json-rpc/answer.ts';
import { spokenByModern } from '../rules/message/spoken-protocol.ts';
import { traceContextOf } from '../rules/message/trace-context.ts';
import { isOffered, offersCompletion } from '../rules/capabilities.ts';
import { serverIdentity } from '../rules/server-identity.ts';
import type { ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import type { AnswerRpcPorts, RpcExchange, RpcReply } from './rpc-exchange.ts';
import { charge } from './authentication/charge.ts';
import { checkScopes } from './authentication/check-scopes.ts';
import { credentialOf } from './calls/credential-of.ts';
import { wholeBudget } from './calls/response-budget.ts';
import { recordingRefusedCalls, recordRefusedCalls } from './calls/refused-calls.ts';
import { prefetchTools } from './calls/tool-modes.ts';
import { withCompletions } from './complete.ts';
import { MODERN_METHODS } from './modern-methods.ts';
import type { RpcTrace } from './rpc-call.ts';
import { modernVersions } from '../../servers/steps/served-versions.ts';

type Request = Extract<ModernMessage, { readonly kind: 'request' }>;

/** What a plan does not pay for. Source: docs/decisions/limits.md, "Quotas". */
const FREE = 'server/discover';

/**
 * Answers a message in a version without a handshake. What is wrong with its form is told before its scopes
 * and the plan are looked at, so that a client that finds out what is spoken here pays nothing for it; the
 * limits of an address come before all of it.
 *
 * @throws RouterRefusal insufficient_scope or rate_limited, and then nothing was carried out
 * @throws Fault if a store is down
 *
 * Source: MCP 2026-07-28, "Streamable HTTP"; docs/protocol.md, "Versions without a handshake".
 */
export const answerModern = async (
  ports: AnswerRpcPorts,
  asked: RpcExchange,
  message: ModernMessage,
): Promise<RpcReply> => {
  const methods = message.kind === 'request' ? [message.method] : [];
  const deployment = await withCompletions(ports, asked.deployment, methods);
  const exchange = { ...asked, deployment };
  const { caller } = exchange;
  const isAnonymous = caller.kind === 'anonymous';
  const spoken = spokenByModern(message, modernVersions(ports.settings));
  if (message.kind !== 'request' || !isThere(deployment, message.method)) {
    await charge(ports, {
      deployment,
      caller,
      cost: isAnonymous ? 1 : 0,
      answersTo: idOf(message),
    });
    if (message.kind === 'refused' && message.refusal.code === 'unsupported_protocol_version') {
      await recordRefusedCalls(ports, exchange, asked.body.messages, message.refusal.code);
    }
    return { ...withoutMethod(message, deployment), spoken };
  }
  const credential = credentialOf(ports, deployment, caller, exchange.sender);
  await recordingRefusedCalls(ports, exchange, [message], async () => {
    checkScopes(caller, scopesNeeded([message.method]));
    const cost = isAnonymous || message.method !== FREE ? 1 : 0;
    const prefetched = prefetchedTools(ports, exchange, message, credential);
    await charge(ports, { deployment, caller, cost, answersTo: message.id }, prefetched);
  });
  return { ...(await carriedOut(ports, exchange, message, credential)), spoken };
};

const idOf = (message: ModernMessage) =>
  message.kind === 'notification' ? null : (message.id ?? null);

/** But for what was spoken. */
type Reply = Omit<RpcReply, 'spoken'>;

const isThere = (deployment: Deployment, method: string): boolean =>
  MODERN_METHODS.has(method) && isOffered(deployment, method);

const withoutMethod = (message: ModernMessage, deployment: Deployment): Reply => {
  if (message.kind === 'notification') {
    const trace: RpcTrace = { method: 'notification', outcome: 'ok' };
    return { text: undefined, end: 'answered', version: undefined, traces: [trace] };
  }
  const isRequest = message.kind === 'request';
  const others = offersCompletion(deployment) ? ['completion/complete'] : [];
  const refusal = isRequest ? modernMethodNotFound(message.method, others) : message.refusal;
  return {
    text: modernErrorText(message.id, refusal),
    end: isRequest ? 'unknown_method' : 'malformed',
    version: MODERN,
    traces: [{ method: 'unknown', outcome: refusal.code }],
  };
};

/** Answers to what is not understood name the version that they are written in. */
const MODERN: ProtocolVersion = '2026-07-28';

const prefetchedTools = (
  ports: AnswerRpcPorts,
  { deployment }: RpcExchange,
  { method }: Request,
  credential: ReturnType<typeof credentialOf>,
): Promise<unknown> | undefined => {
  if (method === 'tools/list') return prefetchTools(ports, deployment);
  return method === 'tools/call' ? prefetchTools(ports, deployment, credential) : undefined;
};

const carriedOut = async (
  ports: AnswerRpcPorts,
  { deployment, caller, sender, traceContext: ofRequest }: RpcExchange,
  message: Request,
  credential: ReturnType<typeof credentialOf>,
): Promise<Reply> => {
  const { id, method, params } = message;
  const traceContext = traceContextOf(params, ofRequest);
  const trace: RpcTrace = { method, outcome: 'ok', ...traceContext };
  const replied = (text: string): Reply => ({
    text,
    end: 'answered',
    version: MODERN,
    traces: [trace],
  });
  try {
    const run = MODERN_METHODS.get(method);
    if (!run) throw modernMethodNotFound(method);
    const named = { ...serverIdentity(deployment.slug), title: deployment.name };
    const {
      text,
      caching,
      server = named,
    } = await run(ports, {
      deployment,
      caller,
      sender,
      index: 0,
      params,
      credential,
      room: wholeBudget,
      keeps: true,
      speaksMcp: true,
      version: MODERN,
      traceContext,
      trace,
    });
    const answer = resultText(id, completeResult(text, server, caching));
    checkFits(answer);
    return replied(answer);
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    trace.outcome = error.code;
    return replied(modernErrorText(id, error));
  }
};
