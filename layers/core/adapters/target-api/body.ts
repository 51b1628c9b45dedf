import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { NoAnswer } from '../../domain/target.ts';
import { decoder, isEncoding } from './decoder.ts';

export interface Body {
  readonly bytes: Uint8Array;
  /** Whether there was more than what was asked for. */
  readonly isCut: boolean;
  readonly isDecoded: boolean;
}

/** More encodings on top of each other are nothing that a server needs. */
const MAX_ENCODINGS = 3;

/**
 * Reads a body, decoding it as it comes. One that goes on beyond the limit, a compression bomb too, ends there, and
 * its connection is closed. Encodings that are unknown are left as they are, as `fetch` does.
 *
 * @param maxBytes - after decoding
 * @throws NoAnswer `invalid_response` if it cannot be decoded; Node's error if the connection is lost
 */
export const readBody = (response: IncomingMessage, maxBytes: number): Promise<Body> =>
  new Promise((resolve, reject) => {
    const encodings = encodingsOf(response);
    const invalid = () => reject(new NoAnswer('invalid_response', 'the body cannot be decoded'));
    const isDecoded = encodings.length > 0 && encodings.every(isEncoding);
    const collect = (stream: Readable): void => {
      const collected = collector(maxBytes);
      stream.on('data', (chunk: Uint8Array) => {
        if (collected.add(chunk)) return;
        response.destroy();
        stream.destroy();
        resolve({ bytes: collected.bytes(), isCut: true, isDecoded });
      });
      stream.on('end', () => resolve({ bytes: collected.bytes(), isCut: false, isDecoded }));
    };

    response.on('error', reject);
    if (!isDecoded) return collect(response);
    if (encodings.length > MAX_ENCODINGS) {
      response.destroy();
      return invalid();
    }
    // Decoders take nothing for a broken stream, but a body may be empty.
    const finish = () => resolve({ bytes: new Uint8Array(), isCut: false, isDecoded: false });
    response.once('end', finish);
    response.once('data', (first: Uint8Array) => {
      response.off('end', finish).pause().unshift(first);
      const decode = (stream: Readable, encoding: string): Readable =>
        stream.pipe(decoder(encoding, first)).on('error', () => {
          response.destroy();
          invalid();
        });
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
  };
};
