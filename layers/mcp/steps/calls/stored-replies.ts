import { type ResourceContents, unknownResource } from '../../../contents/resources/resource.ts';
import type { MethodPorts, ResponseBudget, RpcCall } from '../rpc-call.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import type { ProtocolVersion } from '../../../platform/rules/protocol-versions.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import type { AnswerContent } from '../../../tools/answer/answer-content.ts';
import type { McpContent, ToolResult } from '../../../tools/answer/tool-result.ts';
import {
  MOST_RESULT_BYTES,
  readReplyPartUri,
  type ReplyPart,
  replyPartUri,
  type StoredReplyKey,
  type StoredReplyPlace,
} from '../../../tools/answer/result-continuation.ts';

type StoredAnswerPorts = Pick<
  MethodPorts,
  'clock' | 'counters' | 'storedReplies' | 'random' | 'settings'
>;

export interface StoredAnswer {
  readonly parts: readonly ReplyPart[];
  readonly key: StoredReplyKey;
}

/** Stores what a result leaves out of an answer. If that fails, the result only says so: the call was made. */
export const storeRest = async (
  ports: StoredAnswerPorts,
  call: RpcCall,
  { result, rest }: AnswerContent,
): Promise<{ readonly result: ToolResult; readonly kept?: StoredAnswer }> => {
  const kept = rest && (await storeParts(ports, call, rest.parts));
  if (!kept) return { result };
  const noted = rest.withNote(kept.key);
  if (call.version < LINKS_FROM) return { result: noted, kept };
  return { result: { ...noted, content: [...noted.content, ...linksTo(kept)] }, kept };
};

/** @returns undefined where the parts cannot be stored */
export const storeParts = async (
  { clock, counters, storedReplies, random, settings }: StoredAnswerPorts,
  call: RpcCall,
  divide: () => readonly ReplyPart[],
): Promise<StoredAnswer | undefined> => {
  if (!storesRest(settings, call)) return undefined;
  const keptAt = clock.now();
  const place = placeOf(call, Buffer.from(random.secret(), 'base64url').toString('hex'));
  const counted = `${place.deploymentId} ${place.caller}`;
  try {
    const { allowed } = await counters.take('kept_answers_per_hour_per_caller', counted, keptAt);
    if (!allowed) return undefined;
    const parts = divide();
    await storedReplies.put(place, parts, keptAt);
    const uris = parts.map((_, index) => replyPartUri(place.answerId, index + 1));
    return { parts, key: { uris, until: keptAt + settings.limits.kept_answer_seconds } };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    call.trace.why = error.message;
    return undefined;
  }
};

/** Clients of earlier versions reject a result with content of an unknown type (`resource_link`). */
const LINKS_FROM: ProtocolVersion = '2025-06-18';
const MOST_LINKS = 20;

/** For clients that follow links by themselves; models find the same URIs in the text. */
const linksTo = ({ parts, key: { uris } }: StoredAnswer): readonly McpContent[] =>
  parts.slice(0, MOST_LINKS).map((part, index) => ({
    type: 'resource_link',
    uri: uris[index] ?? '',
    name: `part ${index + 1} of ${parts.length}`,
    mimeType: typeOf(part),
    size: part.form === 'text' ? Buffer.byteLength(part.text) : part.bytes.length,
  }));

/** Parts of a file are not valid files of its media type. */
const typeOf = ({ form }: ReplyPart): string =>
  form === 'text' ? 'text/plain' : 'application/octet-stream';

export const storesRest = ({ limits }: LimitsSettings, { canStoreRest: keeps }: RpcCall): boolean =>
  keeps && limits.kept_answer_max_bytes > 0;

const NOT_STORED =
  'This part of a long answer is not here for you, or not any more: call the tool again to get another.';

/**
 * Reads a part of an answer for the caller who got the answer. Age decides, even if the store still has it.
 * @throws RpcRefusal resource_not_found, the same for every reason
 */
export const readStoredAnswer = async (
  { clock, storedReplies, settings }: StoredAnswerPorts,
  call: RpcCall,
  uri: string,
): Promise<{ readonly contents: ResourceContents; readonly endsAt: EpochSeconds }> => {
  const name = readReplyPartUri(uri);
  const found = name && (await storedReplies.find(placeOf(call, name.answerId), name.number));
  const endsAt = (found ? found.keptAt : 0) + settings.limits.kept_answer_seconds;
  if (!found || clock.now() >= endsAt) throw unknownResource(uri, NOT_STORED);
  const { part } = found;
  const contents: ResourceContents =
    part.form === 'text'
      ? { uri, mimeType: typeOf(part), text: part.text }
      : {
          uri,
          mimeType: typeOf(part),
          blob: Buffer.from(part.bytes).toString('base64'),
        };
  return { contents, endsAt };
};

const placeOf = ({ deployment, caller }: RpcCall, answerId: string): StoredReplyPlace => ({
  deploymentId: deployment.id,
  caller: `${caller.kind} ${caller.subject}`,
  answerId,
});

/** Budget for a request with a single result. */
export const unsharedBudget: ResponseBudget = {
  left: () => MOST_RESULT_BYTES,
  take: () => undefined,
  longAnswer: () => ({ begin: async () => undefined, end: () => undefined }),
};

const MOST_OWN_BYTES = 64 * 1024;

/** Budget for a batch: each result has a small share of its own, the rest is first come, first served. */
export const sharedBudget = (results: number): ResponseBudget => {
  const own = Math.min(MOST_OWN_BYTES, MOST_RESULT_BYTES / (2 * results));
  let common = MOST_RESULT_BYTES - results * own;
  let turns: Promise<void> = Promise.resolve();
  return {
    left: () => own + common,
    longAnswer: () => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      let turn: Promise<void> | undefined;
      const begin = (): Promise<void> => {
        if (turn) return turn;
        turn = turns;
        turns = turn.then(() => ended);
        return turn;
      };
      return { begin, end };
    },
    take: (result) => {
      const taken = Buffer.byteLength(JSON.stringify(JSON.stringify(result)));
      common -= Math.min(common, Math.max(0, taken - own));
    },
  };
};
