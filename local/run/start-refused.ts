import { member } from '../../layers/platform/rules/json/json.ts';

/** The service does not start. The message says why, for the person who started it. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** Code of a system error, such as `ENOENT`; empty for other errors. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

export const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);

/** Meaning of a system error, as the end of a sentence. */
export const inWords = (error: unknown): string => member(WORDS, codeOf(error)) ?? messageOf(error);

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is read-only',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
};
