import { shownServerName } from '../../platform/rules/shown-name.ts';
import {
  addressees,
  costOf,
  publicCostOf,
  readParams,
  type RpcMessage,
  traceContextOf,
} from '../rules/message.ts';
import { type ModernMessage, readModern } from '../rules/modern-message.ts';
import {
  type Era,
  methodNotFound,
  methodOf,
  type NamedMethod,
  scopesNeeded,
} from '../rules/methods.ts';
import { serverIdentity } from '../rules/server-info.ts';
import {
  inKnownVersion,
  spokenByLegacy,
  spokenByModern,
  type SpokenProtocol,
  withoutBatch,
} from '../rules/versions.ts';
import { charge, checkScopes } from './authentication/charge.ts';
import { recordingRefusedCalls, recordRefusedCalls } from './calls/refused-calls.ts';
import { sharedBudget, unsharedBudget } from './calls/stored-replies.ts';
import { credentialsOf } from './calls/call-credentials.ts';
import { prefetchTools } from './calls/tool-modes.ts';
import { ANSWERS, withCompletions } from './methods.ts';
import type {
  MethodPorts,
  MethodResult,
  ResponseBudget,
  RpcCall,
  RpcExchange,
  RpcReply,
  RpcTrace,
} from './rpc-call.ts';
import { checkFits, withinBudget } from '../../platform/http/reply.ts';
import { DeadlineExceeded } from '../../platform/rules/fault.ts';
import {
  completeResult,
  errorText,
  modernErrorText,
  type ResultCaching,
  resultText,
  type RpcId,
} from '../../platform/rules/json-rpc.ts';
import {
  DEFAULT_VERSION,
  modernVersions,
  negotiated,
  type ProtocolVersion,
  servedVersions,
} from '../../platform/rules/protocol-versions.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { PortsOf } from '../../platform/ports.ts';

type Message = RpcMessage | ModernMessage;

/** The differences between versions with the `initialize` handshake and versions without. */
interface ProtocolKind {
  readonly era: Era;
  /** Decides the HTTP status of a request for an unknown method. */
  readonly unknownMethodEnds: RpcReply['end'];
  /** How many requests of a plan the body counts as. Source: docs/decisions/limits.md, "Quotas". */
  readonly costOf: (body: ParsedRequest['body'], methods: readonly NamedMethod[]) => number;
  /** @throws RpcRefusal server_error for a result that is too large to be sent */
  readonly resultText: (id: RpcId, result: MethodResult, answered: Answered) => string;
  readonly errorText: (id: RpcId | null | undefined, refusal: RpcRefusal) => string;
  /** Turns a failure into a JSON-RPC error; undefined: the whole HTTP request fails. */
  readonly refusalIn: (error: unknown) => RpcRefusal | undefined;
}

interface Answered {
  readonly deployment: Deployment;
  readonly method: NamedMethod;
  readonly now: EpochSeconds;
}

interface ParsedRequest {
  readonly kind: ProtocolKind;
  readonly version: ProtocolVersion;
  readonly spoken: SpokenProtocol;
  /** The messages that are charged. */
  readonly body: { readonly batch: boolean; readonly messages: readonly Message[] };
  /** The messages that are carried out: the body, or one refusal in its place. */
  readonly accepted: ParsedRequest['body'];
  readonly unserved: readonly Message[];
}

/** Concurrently within one batch. */
const CONCURRENT_MESSAGES = 5;

/** A call may take 25 s and the gateway waits 30 s: later messages of a batch are refused, not started. */
const BATCH_STARTS_WITHIN_MS = 3000;

/**
 * Answers the JSON-RPC messages of one HTTP request. They are parsed, authorized, charged, run and serialized, in
 * this order for every version. A malformed message without a handshake needs no scope and costs nothing of a plan,
 * so that a client that probes for versions pays nothing. The limits of an address come before all of it.
 * @throws RouterRefusal insufficient_scope or rate_limited; nothing was carried out then
 * @throws Fault if a store is down. Source: JSON-RPC 2.0 §5, §6; MCP 2026-07-28, "Streamable HTTP"; docs/protocol.md,
 *   "Bodies and batches", "Versions without a handshake"; docs/decisions/mcp.md, "HTTP statuses", "Batches".
 */
export const answerRpc = async (ports: AnswerRpcPorts, sent: RpcExchange): Promise<RpcReply> => {
  const parsed = parseModern(ports, sent) ?? parseWithHandshake(ports, sent);
  const { kind, body, accepted, version } = parsed;
  const named = body.messages.flatMap((one) => (one.kind === 'request' ? one.method : []));
  const deployment = await withCompletions(ports, sent.deployment, named);
  const exchange = { ...sent, deployment };
  const { caller, sender } = exchange;
  const methods = named.flatMap((one) => methodOf(deployment, kind.era, one) ?? []);
  const credentials = credentialsOf(ports, deployment, caller, sender);

  await recordingRefusedCalls(ports, exchange, body.messages, async () => {
    checkScopes(caller, scopesNeeded(methods));
    const cost = caller.kind === 'anonymous' ? publicCostOf(body) : kind.costOf(body, methods);
    const wanted = { deployment, caller, cost, answersTo: addressees(body) };
    const reads = methods.map(({ prefetches }) => prefetches).filter((what) => what !== 'nothing');
    const withCredentials = reads.includes('tools_and_credentials') ? credentials : undefined;
    const prefetched = reads.length > 0 && prefetchTools(ports, deployment, withCredentials);
    await charge(ports, wanted, prefetched || undefined);
  });
  if (parsed.unserved.length > 0) {
    await recordRefusedCalls(ports, exchange, parsed.unserved, 'unsupported_protocol_version');
  }

  const { batch, messages } = accepted;
  const responseBudget = batch ? sharedBudget(messages.length) : unsharedBudget;
  const terms = { exchange, kind, version, credentials, responseBudget };
  const ends = await inOrder(messages, CONCURRENT_MESSAGES, messageRunner(ports, terms));
  const texts = withinBudget(ends.flatMap(({ answer }) => answer ?? [])).map(({ text }) => text);
  const isMalformed = texts.length > 0 && messages.every((one) => one.kind !== 'request');
  return {
    text: batch && texts.length > 0 ? `[${texts.join(',')}]` : texts[0],
    end: isMalformed ? 'malformed' : batch ? 'answered' : (ends[0]?.end ?? 'answered'),
    version: version === DEFAULT_VERSION ? undefined : version,
    spoken: parsed.spoken,
    traces: ends.map(({ trace }) => trace),
  };
};

const parseModern = (
  { settings }: AnswerRpcPorts,
  { body: sent, headers }: RpcExchange,
): ParsedRequest | undefined => {
  const served = modernVersions(settings);
  const message = readModern(sent, headers, served);
  if (!message) return undefined;
  const isServed =
    message.kind !== 'invalid' || message.refusal.code !== 'unsupported_protocol_version';
  const body = { batch: false, messages: [message] };
  return {
    kind: WITHOUT_HANDSHAKE,
    // Errors about an unsupported version use this version's form, too.
    version: '2026-07-28',
    spoken: spokenByModern(message, served),
    body,
    accepted: body,
    unserved: isServed ? [] : sent.messages,
  };
};

const parseWithHandshake = (
  { settings }: AnswerRpcPorts,
  { body: sent, headers }: RpcExchange,
): ParsedRequest => {
  const served = servedVersions(settings);
  const version = negotiated(headers.version?.trim(), served);
  const body = withoutBatch(sent, version);
  const accepted = inKnownVersion(body, headers.version);
  return {
    kind: WITH_HANDSHAKE,
    version,
    spoken: spokenByLegacy(sent, version, served),
    body,
    accepted,
    unserved: accepted === body ? [] : body.messages,
  };
};

interface Terms extends Pick<RpcCall, 'version' | 'credentials'> {
  readonly exchange: RpcExchange;
  readonly kind: ProtocolKind;
  readonly responseBudget: ResponseBudget;
}

interface End {
  readonly answer?: { readonly id: RpcId | null; readonly text: string };
  readonly end: RpcReply['end'];
  readonly trace: RpcTrace;
}

const messageRunner = (ports: AnswerRpcPorts, terms: Terms) => {
  const { exchange, kind, ...shared } = terms;
  const { deployment, caller, sender, headers, acceptsEvents } = exchange;
  const beganMs = ports.clock.elapsedMs();

  return async (message: Message, index: number): Promise<End> => {
    if (message.kind === 'notification' || message.kind === 'response') {
      return { end: 'answered', trace: { method: message.kind, outcome: 'ok' } };
    }
    const { id = null } = message;
    const trace: RpcTrace = { method: 'unknown', outcome: 'ok' };
    let end: RpcReply['end'] = 'answered';
    try {
      if (message.kind === 'invalid') throw message.refusal;
      const method = methodOf(deployment, kind.era, message.method);
      if (!method) {
        end = kind.unknownMethodEnds;
        throw methodNotFound(deployment, kind.era, message.method);
      }
      trace.method = method.name;
      if (ports.clock.elapsedMs() - beganMs > BATCH_STARTS_WITHIN_MS) throw tooLate();

      const params = readParams(message.params);
      const traceContext = traceContextOf(params, exchange.traceContext);
      Object.assign(trace, traceContext);
      const result = await ANSWERS[method.name](ports, {
        deployment,
        caller,
        sender,
        index,
        params,
        ...shared,
        canStoreRest: true,
        speaksMcp: acceptsEvents || headers.version !== undefined,
        traceContext,
        trace,
      });
      const answered = { deployment, method, now: ports.clock.now() };
      return { answer: { id, text: kind.resultText(message.id, result, answered) }, end, trace };
    } catch (error) {
      const refusal = kind.refusalIn(error);
      if (!refusal) throw error;
      trace.outcome = refusal.code;
      return { answer: { id, text: kind.errorText(message.id, refusal) }, end, trace };
    }
  };
};

const WITH_HANDSHAKE: ProtocolKind = {
  era: 'legacy',
  unknownMethodEnds: 'answered',
  costOf,
  resultText: (id, { text }) => resultText(id, text),
  errorText: (id = null, refusal) => errorText(id, refusal),
  refusalIn: (error) => {
    // The batch goes on: other messages may have been carried out, and their answers must not be lost.
    if (error instanceof DeadlineExceeded) return noTimeLeft(error);
    return error instanceof RpcRefusal ? error : undefined;
  },
};

const WITHOUT_HANDSHAKE: ProtocolKind = {
  era: 'modern',
  unknownMethodEnds: 'unknown_method',
  costOf: (_body, methods) => methods.reduce((sum, { cost }) => sum + cost, 0),
  resultText: (id, result, answered) => {
    const { deployment } = answered;
    const title = shownServerName(deployment);
    const shown = result.server ?? { ...serverIdentity(deployment.slug), title };
    const answer = resultText(id, completeResult(result.text, shown, cachingOf(result, answered)));
    checkFits(answer);
    return answer;
  },
  errorText: modernErrorText,
  refusalIn: (error) => (error instanceof RpcRefusal ? error : undefined),
};

/**
 * How long clients may cache a result, and whether for several users. Results that need a token are `private`:
 * another caller may not be allowed to see them. Source: MCP 2026-07-28, "Caching"; docs/decisions/mcp.md, "Caching".
 */
const cachingOf = (
  { privateUntil }: MethodResult,
  { deployment, method: { ttlSeconds }, now }: Answered,
): ResultCaching | undefined => {
  if (ttlSeconds === undefined) return undefined;
  const left = privateUntil === undefined ? ttlSeconds : Math.max(0, privateUntil - now);
  return {
    ttlMs: Math.min(left, ttlSeconds) * 1000,
    cacheScope:
      deployment.authMethod === 'none' && privateUntil === undefined ? 'public' : 'private',
  };
};

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

export type AnswerRpcPorts = MethodPorts & PortsOf<typeof charge>;

/**
 * Runs at most `width` pieces of work at a time; results keep the items' order. If one fails, the others finish
 * before the failure is thrown, so that nothing runs on unobserved.
 */
export const inOrder = async <Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(width, items.length) }, worker),
  );
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  return results;
};
