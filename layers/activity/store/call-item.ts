import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as z from 'zod/mini';
import { CALL_OUTCOMES } from '../../events/rules/call-outcome.ts';
import { type CallRecord, missingFaults, placeOfCall } from '../../events/rules/call-record.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { type Fields, parseItem } from '../../platform/dynamodb/items.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Over how many partitions the calls of one deployment, and their counts, are spread. */
export const SHARDS = 8;

/** @param spread - what falls into one partition is alike in this */
export const shardOf = (spread: string): number =>
  (createHash('sha256').update(spread).digest()[0] ?? 0) % SHARDS;

/** Seconds between the first and the last call of an item, which stands where its first call does. */
export const SPAN = 30;

/** Calls of an item: each may be of another tool, and DynamoDB takes a hundred writes in one transaction. */
const MOST_CALLS = 99;
/** Bytes of JSON in an item, which may have 400 KB. */
const MOST_BYTES = 300_000;
/** Bytes of packed calls that are written for the price of one call: with its key, the item has a kilobyte. */
const FREE_BYTES = 850;

/** A call as it is kept with others, without its deployment. */
export const StoredCall = z.object({
  at: z.int(),
  requestId: z.string(),
  index: z.int(),
  version: z.int(),
  tool: z.string(),
  outcome: z.enum(CALL_OUTCOMES),
  withoutTool: z.exactOptional(z.literal(true)),
  trial: z.exactOptional(z.literal(true)),
  status: z.exactOptional(z.int()),
  reason: z.exactOptional(z.string()),
  faults: z.exactOptional(
    z.array(
      z.object({
        argument: z.exactOptional(z.string()),
        keyword: z.string(),
        sent: z.exactOptional(z.string()),
      }),
    ),
  ),
  words: z.exactOptional(z.array(z.string())),
  origin: z.exactOptional(z.string()),
  durationMs: z.int(),
  answerTokens: z.exactOptional(z.int()),
  subject: z.string(),
  clientId: z.exactOptional(z.string()),
  grantId: z.exactOptional(z.string()),
  tokenId: z.exactOptional(z.string()),
  ip: z.string(),
  network: z.exactOptional(z.string()),
  credentialVersion: z.exactOptional(z.string()),
  credentials: z.exactOptional(
    z.array(z.object({ name: z.string(), type: z.string(), version: z.string() })),
  ),
} satisfies Fields<Required<Omit<CallRecord, 'deploymentId'>>>);
const PackedCalls = z.object({
  calls: z.instanceof(Uint8Array),
  begun: z.exactOptional(z.instanceof(Uint8Array)),
});

/** Calls of one deployment in the order of time, in parts that fit into an item each; each call once. */
export const partsOf = (calls: readonly CallRecord[]): readonly (readonly CallRecord[])[] => {
  const parts: CallRecord[][] = [];
  let bytes = 0;
  for (const call of inOrder(calls)) {
    const size = Buffer.byteLength(JSON.stringify(call));
    const part = parts.at(-1);
    const [first] = part ?? [];
    if (
      part &&
      first &&
      part.length < MOST_CALLS &&
      call.at - first.at <= SPAN &&
      bytes + size <= MOST_BYTES
    ) {
      part.push(call);
      bytes += size;
    } else {
      parts.push([call]);
      bytes = size;
    }
  }
  return parts;
};

/** By time, each once. */
const inOrder = (calls: readonly CallRecord[]): readonly CallRecord[] =>
  [...new Map(calls.map((call) => [placeOfCall(call), call]))]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, call]) => call);

/** Of one item: measured on 20 calls, higher qualities take as much room, DEFLATE 3 percent more. */
const QUALITY = 5;

export const packCalls = (calls: readonly CallRecord[]): Uint8Array => {
  // The item's key names the deployment.
  const text = JSON.stringify(calls.map((call) => ({ ...call, deploymentId: undefined })));
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
};

export interface KeptCallItem {
  readonly packed: Uint8Array;
  /** In the order of time. */
  readonly unread: readonly UnreadCall[];
}

export interface PackedCallItem {
  readonly packed: Uint8Array;
  /** In the order of time. */
  readonly calls: readonly CallRecord[];
}

/**
 * The item that takes further calls for nothing, and all of its calls then: so calls that come one by one
 * do not take an item each.
 */
export const joinedTo = (
  deploymentId: string,
  kept: readonly KeptCallItem[],
  calls: readonly CallRecord[],
): { readonly item: KeptCallItem; readonly joined: PackedCallItem } | undefined => {
  const [first, last] = [calls[0], calls.at(-1)];
  if (!first || !last) return undefined;
  for (const item of kept.toReversed()) {
    if (item.packed.length > FREE_BYTES) continue;
    if (item.unread.length + calls.length > MOST_CALLS) continue;
    const its = readCalls(deploymentId, item.unread);
    const [itsFirst] = its;
    if (!itsFirst || placeOfCall(itsFirst) > placeOfCall(first)) continue;
    if (last.at - itsFirst.at > SPAN) continue;
    const all = inOrder([...its, ...calls]);
    const packed = packCalls(all);
    if (packed.length <= FREE_BYTES) return { item, joined: { packed, calls: all } };
  }
  return undefined;
};

/** A call as it was unpacked, before it is read. */
export type UnreadCall = Readonly<Record<string, unknown>>;

/** Unique in its deployment. */
export const nameOfCall = ({ at, requestId, index }: UnreadCall | CallRecord): string =>
  `${at}#${requestId}#${index}`;

/** Those of an item, the unfinished ones behind. @throws Fault if the item does not have its form */
export const unpackCalls = (deploymentId: string, item: unknown): readonly UnreadCall[] => {
  const { calls, begun } = parseItem(PackedCalls, item, whatOf(deploymentId));
  return [calls, ...(begun ? [begun] : [])].flatMap((packed) => unpackPacked(deploymentId, packed));
};

/** @throws Fault if they do not have their form */
export const unpackPacked = (deploymentId: string, packed: Uint8Array): readonly UnreadCall[] => {
  const what = whatOf(deploymentId);
  try {
    const text = brotliDecompressSync(packed, { maxOutputLength: 2 * MOST_BYTES }).toString();
    const list: unknown = parsedJson(text);
    if (Array.isArray(list) && list.every((call) => call instanceof Object)) return list;
  } catch (cause) {
    throw new Fault('dynamodb', `${what} cannot be unpacked`, cause);
  }
  throw new Fault('dynamodb', `${what} are no list`);
};

/** Takes longer than to unpack them: whoever wants some calls only leaves the others out before. @throws Fault */
export const readCalls = (
  deploymentId: string,
  unread: readonly UnreadCall[],
): readonly CallRecord[] =>
  parseItem(z.array(StoredCall), unread.map(withFaults), whatOf(deploymentId)).map((call) => ({
    ...call,
    deploymentId,
  }));

/** Calls of before have the missing arguments alone. */
const withFaults = (call: UnreadCall): UnreadCall =>
  Array.isArray(call['missing'])
    ? { ...call, faults: missingFaults(call['missing'].map(String)) }
    : call;

/** Without its unfinished calls. @throws Fault */
export const keptCallItem = (deploymentId: string, item: unknown): KeptCallItem => {
  const { calls: packed } = parseItem(PackedCalls, item, whatOf(deploymentId));
  return { packed, unread: unpackPacked(deploymentId, packed) };
};

const whatOf = (deploymentId: string) => `calls of deployment ${deploymentId}`;
