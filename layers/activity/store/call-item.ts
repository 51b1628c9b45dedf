import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as z from 'zod/mini';
import { CALL_OUTCOMES, isUnfinished } from '../../events/rules/call-outcome.ts';
import { type CallRecord, missingFaults, placeOfCall } from '../../events/rules/call-record.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { type Fields, parseItem } from '../../platform/dynamodb/items.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';
import type { CountedCall } from '../rules/call-counts.ts';
import { minuteOf } from '../rules/minutes.ts';

/** Seconds between the first and the last call of an item, which stands where its first call does. */
export const SPAN = 30;

/** Calls of an item: whoever looks for a few reads no more than that in vain. */
const MOST_CALLS = 100;
/** Bytes of JSON in an item, which may have 400 KB. */
const MOST_BYTES = 300_000;

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

/**
 * Calls of one deployment in the order of time, in parts that fit into an item each; each call once. No part reaches
 * into another minute: what is counted by the minute is read so.
 */
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
      minuteOf(call.at) === minuteOf(first.at) &&
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

/**
 * The same for the same calls, and another for others, with their kinds: by it an event that comes twice is found to be
 * stored. Not of the packed bytes: releases of Node pack differently.
 */
export const chunkName = (calls: readonly CallRecord[]): string => {
  const names = calls.map((call) => `${placeOfCall(call)}${isUnfinished(call) ? '?' : ''}`);
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16);
};

/** A call as it was unpacked, before it is read. */
export type UnreadCall = Readonly<Record<string, unknown>>;

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

const Countable = z.array(
  z.pick(StoredCall, {
    at: true,
    requestId: true,
    index: true,
    tool: true,
    outcome: true,
    withoutTool: true,
    trial: true,
    durationMs: true,
  }),
);

/** What is counted of the calls of an item. @throws Fault if it does not have its form */
export const countedCalls = (deploymentId: string, item: unknown): readonly CountedCall[] =>
  parseItem(Countable, unpackCalls(deploymentId, item), whatOf(deploymentId));

const whatOf = (deploymentId: string) => `calls of deployment ${deploymentId}`;
