import { createHash } from 'node:crypto';

/** Looks random, so that nothing of it can be packed, and is the same in each run. */
export const digestOf = (text: string, encoding: 'hex' | 'base64url'): string =>
  createHash('sha256').update(text).digest(encoding);

/** As long as ids are in production. */
export const uuidOf = (text: string): string =>
  digestOf(text, 'hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
