import { unzipSync } from 'fflate';
import { Problem } from '../api/problem.ts';
import type { GivenFile, TextFile } from './given-file.ts';

/** Most bytes that the descriptions of an archive may unpack to. */
const MAX_BYTES = 50 * 1024 * 1024;

/** Texts of a zip or tar.gz archive, or of another file. @throws Problem if damaged, or above 50 MB unpacked */
export const filesIn = async ({ path, blob }: GivenFile): Promise<readonly TextFile[]> => {
  if (/\.zip$/i.test(path)) return unzipped(await bytesOf(blob), path);
  if (/\.(?:tgz|tar\.gz)$/i.test(path)) return untarred(await gunzipped(blob, path));
  return [{ path, text: await blob.text() }];
};

const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

const isWanted = (path: string): boolean =>
  /\.(?:json|ya?ml)$/i.test(path) && !path.startsWith('__MACOSX/');

const unzipped = (bytes: Uint8Array, name: string): readonly TextFile[] => {
  let left = MAX_BYTES;
  let packedLeft = bytes.length;
  try {
    const files = unzipSync(bytes, {
      // The directory of an archive may lie about sizes: a stored entry unpacks to its packed bytes, whatever size it
      // claims, and many entries may name the same bytes (zip bomb).
      filter: ({ name: path, originalSize, size }) => {
        if (!isWanted(path)) return false;
        left -= originalSize;
        packedLeft -= size;
        if (left < 0) throw tooLarge();
        if (packedLeft < 0) throw damaged(name);
        return true;
      },
    });
    return Object.entries(files).map(([path, content]) => ({ path, text: decoded(content) }));
  } catch (error) {
    throw error instanceof Problem ? error : damaged(name);
  }
};

const gunzipped = async (blob: Blob, name: string): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = blob.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MAX_BYTES) throw tooLarge();
      parts.push(value);
    }
  } catch (error) {
    throw error instanceof Problem ? error : damaged(name);
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

const BLOCK = 512;

/** Plain files of a tar archive. Source: POSIX.1-2017, pax, "ustar Interchange Format". */
const untarred = (bytes: Uint8Array): readonly TextFile[] => {
  const files: TextFile[] = [];
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK);
    const name = field(header, 0, 100);
    if (name === '') break;
    const size = Number.parseInt(field(header, 124, 12), 8);
    if (!Number.isSafeInteger(size) || size < 0) break;
    const prefix = field(header, 257, 5) === 'ustar' ? field(header, 345, 155) : '';
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const kind = field(header, 156, 1);
    const start = at + BLOCK;
    if ((kind === '' || kind === '0') && isWanted(path)) {
      files.push({ path, text: decoded(bytes.subarray(start, start + size)) });
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
};

/** A text field of a header, up to its first zero byte. */
const field = (header: Uint8Array, start: number, length: number): string => {
  const bytes = header.subarray(start, start + length);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end)).trim();
};

const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const damaged = (name: string) =>
  new Problem({ status: 0, code: 'unusable_files', detail: `${name} cannot be unpacked.` });

const tooLarge = () =>
  new Problem({
    status: 0,
    code: 'unusable_files',
    detail: 'The descriptions in the archive take more than 50 MB. Choose those of one API.',
  });
