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

/** Most seconds between the first and the last call of an item, whose key has the time of the first. */
export const SPAN = 30;

/** @param place - on the time line; begins with a time */
export const later = (place: string, seconds: number): string => {
  const time = new Date(Date.parse(place.slice(0, 24)) + seconds * 1000);
  return Number.isNaN(time.getTime()) ? place : time.toISOString();
};

/** Calls per item: reading a few of them costs at most this many. */
const MOST_CALLS = 100;
/** Bytes of JSON per item; DynamoDB allows 400 KB. */
const MOST_BYTES = 300_000;

/** A call within an item; the item's key has the deployment. */
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
 * Splits calls of one deployment into parts for one item each, in order of time and without duplicates. No part
 * crosses a minute, since calls are counted by minute.
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

/** By time, without duplicates. */
const inOrder = (calls: readonly CallRecord[]): readonly CallRecord[] =>
  [...new Map(calls.map((call) => [placeOfCall(call), call]))]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, call]) => call);

/** Brotli quality: for 20 calls, higher ones save nothing more; DEFLATE takes 3 percent more. */
const QUALITY = 5;

export const packCalls = (calls: readonly CallRecord[]): Uint8Array => {
  // The item's key has the deployment.
  const text = JSON.stringify(calls.map((call) => ({ ...call, deploymentId: undefined })));
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
};

/**
 * Identifies calls and their kinds, so that an event that is delivered twice is stored once. Not a hash of the packed
 * bytes, since releases of Node pack differently.
 */
export const chunkName = (calls: readonly CallRecord[]): string => {
  const names = calls.map((call) => `${placeOfCall(call)}${isUnfinished(call) ? '?' : ''}`);
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16);
};

/** An unpacked call, not validated. */
export type UnreadCall = Readonly<Record<string, unknown>>;

/** All calls of an item, unfinished ones last. @throws Fault if the item is malformed */
export const unpackCalls = (deploymentId: string, item: unknown): readonly UnreadCall[] => {
  const { calls, begun } = parseItem(PackedCalls, item, whatOf(deploymentId));
  return [calls, ...(begun ? [begun] : [])].flatMap((packed) => unpackPacked(deploymentId, packed));
};

/** @throws Fault if they are malformed */
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

/** Validates calls, which takes longer than unpacking: callers filter first. @throws Fault */
export const readCalls = (
  deploymentId: string,
  unread: readonly UnreadCall[],
): readonly CallRecord[] =>
  parseItem(z.array(StoredCall), unread.map(withFaults), whatOf(deploymentId)).map((call) => ({
    ...call,
    deploymentId,
  }));

/** Former versions stored only missing arguments. */
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

/** The counted members of an item's calls. @throws Fault if the item is malformed */
export const countedCalls = (deploymentId: string, item: unknown): readonly CountedCall[] =>
  parseItem(Countable, unpackCalls(deploymentId, item), whatOf(deploymentId));

const whatOf = (deploymentId: string) => `calls of deployment ${deploymentId}`;
