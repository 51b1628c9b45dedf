import { LRUCache } from 'lru-cache';

/** Limits memory: subjects are chosen by strangers. */
const MAX_SUBJECTS = 10_000;

/** Values by subject, in one instance; the least recently used are dropped first. */
export const subjectCache = <Value extends NonNullable<unknown>>() =>
  new LRUCache<string, Value>({ max: MAX_SUBJECTS });
