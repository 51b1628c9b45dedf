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
  /** Why, where it was not too long. */
  readonly cutBy?: 'time' | 'connection';
  readonly isDecoded: boolean;
}

/** How much of a body is read, after decoding. */
export interface BodyLimits {
  /** What is asked for. */
  readonly maxBytes: number;
  /** What may follow is read as well. */
  readonly readOn?: ReadOn;
  /** What has come when the time is over is an answer as well, and of streams also where the connection breaks. */
  readonly takesPart?: boolean;
}

/** What comes after the bytes that were asked for is welcome, and nothing fails where it does not come. */
interface ReadOn {
  /** Of the whole body. */
  readonly mostBytes: number;
  /** From then on, what was asked for is enough. */
  readonly until: AbortSignal;
  /** Nothing of it is read before this resolves. */
  readonly mayBegin?: () => Promise<void>;
}

/** More encodings on top of each other are nothing that a server needs. */
const MAX_ENCODINGS = 3;

/**
 * Reads a body, decoding it as it comes. One that goes on beyond the limit, a compression bomb too, ends there, and
 * its connection is closed. Encodings that are unknown are left as they are, as `fetch` does.
 *
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
    // Decoders take nothing for a broken stream, but a body may be empty.
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
 * Bytes in one piece of memory that grows, never beyond the limit: a list of the chunks would cost a hundred times
 * their size if a server sent them byte by byte.
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

/**
 * A stream that undoes one content encoding.
 *
 * @param first - the body's first bytes, at least one
 */
const decoder = (encoding: string, first: Uint8Array): Transform =>
  DECODERS[encoding as keyof typeof DECODERS](first);

/** `deflate` means the zlib format, but some servers send the bare stream. */
const inflate = ([first = 0]: Uint8Array): Transform =>
  (first & 0x0f) === 8 ? createInflate() : createInflateRaw();

const DECODERS = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: inflate,
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};
