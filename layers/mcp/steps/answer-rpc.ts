import { scopesNeeded } from '../../tokens/rules/scopes.ts';
import { DeadlineExceeded } from '../../platform/rules/fault.ts';
import {
  DEFAULT_VERSION,
  negotiated,
  type ProtocolVersion,
} from '../../platform/rules/protocol-versions.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { isOffered } from '../rules/capabilities.ts';
import { addressees } from '../rules/message/body.ts';
import { type Answer, withinBudget } from '../../platform/http/reply.ts';
import { costOf, publicCostOf } from '../rules/message/cost.ts';
import { errorText, resultText } from '../../platform/rules/json-rpc/answer.ts';
import { inKnownVersion, withoutBatch } from '../rules/message/versions.ts';
import { methodNotFound } from '../rules/message/supported-methods.ts';
import { methodsOf } from '../rules/message/methods-of.ts';
import { readParams } from '../rules/message/params.ts';
import { readModern } from '../rules/message/modern-message.ts';
import type { RpcMessage } from '../rules/message/message.ts';
import { spokenByLegacy } from '../rules/message/spoken-protocol.ts';
import { traceContextOf } from '../rules/message/trace-context.ts';
import { type ResponseBudget, sharedBudget, wholeBudget } from './calls/response-budget.ts';
import { charge } from './authentication/charge.ts';
import { checkScopes } from './authentication/check-scopes.ts';
import { credentialOf, type CredentialOf } from './calls/credential-of.ts';
import { inOrder } from './in-order.ts';
import { answerModern } from './answer-modern.ts';
import { withCompletions } from './complete.ts';
import { METHODS } from './methods.ts';
import type { AnswerRpcPorts, RpcExchange, RpcReply } from './rpc-exchange.ts';
import type { RpcTrace } from './rpc-call.ts';
import { modernVersions, servedVersions } from '../../servers/steps/served-versions.ts';
import { recordingRefusedCalls, recordRefusedCalls } from './calls/refused-calls.ts';
import { prefetchTools } from './calls/tool-modes.ts';

/** Methods whose content is read while the request is counted: its store remembers it. */
const OF_TOOLS: ReadonlySet<string> = new Set(['tools/list', 'tools/call']);

/** Of one batch, at a time. */
const CONCURRENT_MESSAGES = 5;
/** A call may take 25 s and the gateway waits 30 s: what a batch has not begun by then is not begun. */
const BATCH_STARTS_WITHIN_MS = 3000;

/**
 * Answers the JSON-RPC messages of one HTTP request.
 *
 * @throws RouterRefusal insufficient_scope or rate_limited, and then nothing was carried out
 * @throws Fault if a store is down
 *
 * Source: JSON-RPC 2.0 §5, §6; docs/protocol.md, "Bodies and batches"; docs/decisions/mcp.md, "HTTP
 * statuses", "Batches".
 */
export const answerRpc = (ports: AnswerRpcPorts, exchange: RpcExchange): Promise<RpcReply> => {
  const { body, headers } = exchange;
  const modern = readModern(body, headers, modernVersions(ports.settings));
  return modern ? answerModern(ports, exchange, modern) : answerMessages(ports, exchange);
};

/** In the versions with a handshake. */
const answerMessages = async (ports: AnswerRpcPorts, asked: RpcExchange): Promise<RpcReply> => {
  const { caller, sender, headers } = asked;
  const served = servedVersions(ports.settings);
  const version = negotiated(headers.version?.trim(), served);
  const body = withoutBatch(asked.body, version);
  const deployment = await withCompletions(ports, asked.deployment, methodsOf(body));
  const exchange = { ...asked, deployment };
  const methods = methodsOf(body).filter((method) => isOffered(deployment, method));
  const credential = credentialOf(ports, deployment, caller, sender);
  await recordingRefusedCalls(ports, exchange, body.messages, async () => {
    checkScopes(caller, scopesNeeded(methods));
    const cost = caller.kind === 'anonymous' ? publicCostOf(body) : costOf(body);
    await charge(
      ports,
      { deployment, caller, cost, answersTo: addressees(body) },
      methods.some((method) => OF_TOOLS.has(method))
        ? prefetchTools(ports, deployment, methods.includes('tools/call') ? credential : undefined)
        : undefined,
    );
  });

  const known = inKnownVersion(body, headers.version);
  if (known !== body) {
    await recordRefusedCalls(ports, exchange, body.messages, 'unsupported_protocol_version');
  }
  const { batch, messages } = known;
  const room = batch ? sharedBudget(messages.length) : wholeBudget;
  const answer = answerer(ports, exchange, version, credential, room);
  const ends = await inOrder(messages, CONCURRENT_MESSAGES, answer);

  const texts = withinBudget(ends.flatMap(({ answer }) => answer ?? [])).map(({ text }) => text);
  return {
    text: batch && texts.length > 0 ? `[${texts.join(',')}]` : texts[0],
    end:
      texts.length > 0 && messages.every(({ kind }) => kind !== 'request')
        ? 'malformed'
        : 'answered',
    version: version === DEFAULT_VERSION ? undefined : version,
    spoken: spokenByLegacy(exchange.body, version, served),
    traces: ends.map(({ trace }) => trace),
  };
};

interface End {
  readonly answer: Answer | undefined;
  readonly trace: RpcTrace;
}

const answerer = (
  ports: AnswerRpcPorts,
  { deployment, caller, sender, headers, traceContext: ofRequest, acceptsEvents }: RpcExchange,
  version: ProtocolVersion,
  credential: CredentialOf,
  room: ResponseBudget,
) => {
  const beganMs = ports.clock.elapsedMs();

  return async (message: RpcMessage, index: number): Promise<End> => {
    if (message.kind === 'notification' || message.kind === 'response') {
      return { answer: undefined, trace: { method: message.kind, outcome: 'ok' } };
    }
    const { id } = message;
    const trace: RpcTrace = { method: 'unknown', outcome: 'ok' };
    try {
      if (message.kind === 'invalid') throw message.refusal;
      const method = METHODS.get(message.method);
      if (!method) throw methodNotFound(message.method);
      trace.method = message.method;
      if (ports.clock.elapsedMs() - beganMs > BATCH_STARTS_WITHIN_MS) throw tooLate();

      const params = readParams(message.params);
      const traceContext = traceContextOf(params, ofRequest);
      Object.assign(trace, traceContext);
      const speaksMcp = acceptsEvents || headers.version !== undefined;
      const keeps = true;
      const call = {
        deployment,
        caller,
        sender,
        index,
        params,
        credential,
        room,
        keeps,
        speaksMcp,
        version,
        traceContext,
        trace,
      };
      return { answer: { id, text: resultText(message.id, await method(ports, call)) }, trace };
    } catch (error) {
      const refusal = error instanceof DeadlineExceeded ? noTimeLeft(error) : error;
      if (!(refusal instanceof RpcRefusal)) throw error;
      trace.outcome = refusal.code;
      return { answer: { id, text: errorText(id, refusal) }, trace };
    }
  };
};

/** Other messages of the batch may have been carried out, and their answers must not be lost. */
const noTimeLeft = ({ message }: DeadlineExceeded) =>
  new RpcRefusal(
    'server_error',
    'This took too long and was given up. Send it again.',
    { reason: 'no_time_left' },
    message,
  );

const tooLate = () =>
  new RpcRefusal(
    'server_error',
    'The batch took too long, so that this message was not carried out. Send it again.',
    { reason: 'batch_timeout' },
  );
