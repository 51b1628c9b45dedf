import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { isReset } from './failure.ts';
import { streamForm } from '../rules/stream-elements.ts';
import { NoAnswer } from '../rules/target.ts';

export interface ReceivedBody {
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
  /** Absent if the body was longer than the limit. */
  readonly cutBy?: 'time' | 'connection';
  readonly isDecoded: boolean;
}

export interface BodyLimits {
  /** After decoding. */
  readonly maxBytes: number;
  /** Reads further than `maxBytes`, if there is more. */
  readonly readOn?: ReadOn;
  /** A body that is incomplete when the time is over is an answer, too; of streams also one whose connection breaks. */
  readonly takesPart?: boolean;
}

/** Bytes beyond `maxBytes` are optional: nothing fails without them. */
interface ReadOn {
  /** Of the whole body. */
  readonly mostBytes: number;
  /** When it aborts, `maxBytes` suffice. */
  readonly until: AbortSignal;
  /** Reading pauses until this resolves. */
  readonly mayBegin?: () => Promise<void>;
}

/** No server needs more encodings in a row; each multiplies what a compression bomb yields. */
const MAX_ENCODINGS = 3;

/**
 * Reads and decodes a body. A body beyond the limit, also a compression bomb, is cut there and its connection closed.
 * Bodies in unknown encodings stay undecoded, as with `fetch`.
 * @throws NoAnswer `invalid_response` if it cannot be decoded; Node's error if the connection is lost
 */
export const receiveBody = (
  response: IncomingMessage,
  { maxBytes, readOn, takesPart = false, signal }: BodyLimits & { readonly signal: AbortSignal },
): Promise<ReceivedBody> =>
  new Promise((resolve, reject) => {
    const encodings = encodingsOf(response);
    const isDecoded = encodings.length > 0 && encodings.every(isEncoding);
    const collected = collector(readOn?.mostBytes ?? maxBytes);
    const end = (isCut: boolean, cutBy?: ReceivedBody['cutBy']) =>
      resolve({ bytes: collected.bytes(), isCut, isDecoded, ...(cutBy && { cutBy }) });
    const hasEnough = () => collected.length() > maxBytes;
    const hasPart = () => takesPart && collected.length() > 0;
    const isStream = streamForm(response.headers['content-type']) !== undefined;
    const fail = (error: unknown): void => {
      if (hasEnough()) return end(true);
      if (isStream && hasPart() && isReset(error)) return end(true, 'connection');
      reject(error);
    };
    const endInTime = () => hasPart() && end(true, hasEnough() ? undefined : 'time');
    signal.addEventListener('abort', endInTime, { once: true });
    const failToDecode = () => {
      response.destroy();
      fail(new NoAnswer('invalid_response', 'the body cannot be decoded'));
    };
    const collect = (stream: Readable): void => {
      const stop = (): void => {
        end(true);
        response.destroy();
        stream.destroy();
      };
      let hasBegun = readOn?.mayBegin === undefined;
      stream.on('data', (chunk: Uint8Array) => {
        const isFull = !collected.add(chunk);
        if (isFull || (hasEnough() && readOn?.until.aborted)) return stop();
        if (hasBegun || !hasEnough()) return;
        hasBegun = true;
        stream.pause();
        readOn?.mayBegin?.().then(() => stream.resume(), fail);
      });
      stream.on('end', () => end(false));
      readOn?.until.addEventListener('abort', () => hasEnough() && stop(), { once: true });
    };

    response.on('error', fail);
    if (!isDecoded) return collect(response);
    if (encodings.length > MAX_ENCODINGS) return failToDecode();
    // Decoders take an empty body for a truncated one.
    const finish = () => resolve({ bytes: new Uint8Array(), isCut: false, isDecoded: false });
    response.once('end', finish);
    response.once('data', (first: Uint8Array) => {
      response.off('end', finish).pause().unshift(first);
      const decode = (stream: Readable, encoding: string): Readable =>
        stream.pipe(decoder(encoding, first)).on('error', failToDecode);
      collect(encodings.reduceRight(decode, response));
    });
  });

const encodingsOf = ({ headers }: IncomingMessage): string[] =>
  (headers['content-encoding'] ?? '')
    .split(',')
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '' && encoding !== 'identity');

/**
 * Collects bytes in one growing buffer, up to the limit. A list of chunks would take a hundred times their size if a
 * server sent single bytes.
 */
const collector = (maxBytes: number) => {
  let memory: Uint8Array = new Uint8Array();
  let length = 0;

  return {
    /** @returns false once the limit is passed */
    add: (chunk: Uint8Array): boolean => {
      const fitting = chunk.subarray(0, maxBytes - length);
      const needed = length + fitting.length;
      if (needed > memory.length) {
        const grown = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(needed, 2 * memory.length)));
        grown.set(memory.subarray(0, length));
        memory = grown;
      }
      memory.set(fitting, length);
      length = needed;
      return fitting.length === chunk.length;
    },
    bytes: (): Uint8Array => memory.subarray(0, length),
    length: (): number => length,
  };
};

export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

const isEncoding = (encoding: string): boolean => Object.hasOwn(DECODERS, encoding);

/** @param first - the body's first bytes, at least one */
const decoder = (encoding: string, first: Uint8Array): Transform =>
  DECODERS[encoding as keyof typeof DECODERS](first);

/** `deflate` means the zlib format, but some servers send a raw deflate stream. */
const inflate = ([first = 0]: Uint8Array): Transform =>
  (first & 0x0f) === 8 ? createInflate() : createInflateRaw();

const DECODERS = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: inflate,
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};
