import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod/mini';
import type { RecordingKey } from '../../deployments/rules/recording.ts';
import type { RecordedCall } from '../rules/recorded-content.ts';
import { StoredCall } from './call-item.ts';
import { opener, type Sealer, sealer } from './hpke.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Bound into every key, so that messages sealed for another purpose do not open. */
const INFO = Buffer.from('hosted-mcp recorded call');

/** Calls per sealer: message numbers have 32 bits. */
const MOST_CALLS = 1_000_000;
/** Cached sealers, one per deployment. */
const MOST_SEALERS = 100;
/** Bytes before the ciphertext: format, sender's key, message number. */
const [FORM, KEY, NUMBER] = [1, 32, 4] as const;
const HEAD = FORM + KEY + NUMBER;
const THIS_FORM = 1;
/** Bytes of a call as JSON. */
const MOST_BYTES = 256 * 1024;

/**
 * Seals recorded calls for a public key. The sender's key is reused for many calls, since a new one takes four times
 * the processor time of the rest.
 */
export const callSealer = () => {
  const sealers = new Map<string, { readonly sealer: Sealer; calls: number }>();
  const held = (publicKey: string) => {
    const known = sealers.get(publicKey);
    if (known && known.calls < MOST_CALLS) return known;
    if (sealers.size >= MOST_SEALERS) sealers.clear();
    const one = { sealer: sealer(publicKey, INFO), calls: 0 };
    sealers.set(publicKey, one);
    return one;
  };

  /** @returns format, sender's key, message number, and the sealed call */
  return (publicKey: string, { call, ...content }: RecordedCall): Uint8Array => {
    const { deploymentId, ...its } = call;
    const one = held(publicKey);
    const number = one.calls++;
    const head = Buffer.alloc(HEAD);
    head[0] = THIS_FORM;
    head.set(one.sealer.encapsulated, FORM);
    head.writeUInt32BE(number, FORM + KEY);
    const packed = deflateRawSync(JSON.stringify({ call: its, ...content }));
    const sealed = one.sealer.seal(number, packed, Buffer.from(deploymentId));
    return Buffer.concat([head, sealed]);
  };
};

const Sealed = z.object({
  call: StoredCall,
  arguments: z.exactOptional(z.record(z.string(), z.unknown())),
  argumentsText: z.exactOptional(z.string()),
  answer: z.exactOptional(z.string()),
  error: z.exactOptional(z.string()),
  leftOut: z.exactOptional(z.int()),
});

/**
 * Opens recorded calls of a deployment.
 * @returns a function that gives undefined for a call that no key opens, or that was made when its key was not in use
 */
export const callOpener = (deploymentId: string, keys: readonly RecordingKey[]) => {
  const openers = new Map<string, readonly ReturnType<typeof openerOf>[]>();
  const associated = Buffer.from(deploymentId);
  return (sealed: Uint8Array): RecordedCall | undefined => {
    if (sealed.length <= HEAD || sealed[0] !== THIS_FORM) return undefined;
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
    const encapsulated = bytes.subarray(FORM, FORM + KEY);
    const sender = encapsulated.toString('hex');
    const those = openers.get(sender) ?? keys.map((key) => openerOf(key, encapsulated));
    openers.set(sender, those);
    for (const { key, open } of those) {
      const recorded = read(() =>
        open(bytes.readUInt32BE(FORM + KEY), bytes.subarray(HEAD), associated),
      );
      if (!recorded) continue;
      const { at } = recorded.call;
      const isInUse = at >= key.since && at < (key.endedAt ?? key.until);
      if (!isInUse) return undefined;
      return { ...recorded, call: { ...recorded.call, deploymentId } };
    }
    return undefined;
  };
};

const openerOf = (key: RecordingKey, encapsulated: Uint8Array) => {
  // Opened lazily: `opener` throws for a malformed point, which then opens nothing.
  let open: ReturnType<typeof opener> | undefined;
  return {
    key,
    open: (...sealed: Parameters<ReturnType<typeof opener>>) =>
      (open ??= opener(key, encapsulated, INFO))(...sealed),
  };
};

const read = (open: () => Uint8Array): z.output<typeof Sealed> | undefined => {
  try {
    const text = inflateRawSync(open(), { maxOutputLength: MOST_BYTES }).toString();
    return z.parse(Sealed, parsedJson(text));
  } catch {
    return undefined;
  }
};
