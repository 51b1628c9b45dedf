import type { Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

/** What requests say they accept. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

export const isEncoding = (encoding: string): boolean => Object.hasOwn(DECODERS, encoding);

/**
 * A stream that undoes one content encoding.
 *
 * @param first - the body's first bytes, at least one
 */
export const decoder = (encoding: string, first: Uint8Array): Transform =>
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
