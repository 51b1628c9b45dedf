import { LRUCache } from 'lru-cache';

/** Of how many subjects one instance remembers something, so that no number of them fills its memory. */
const MAX_SUBJECTS = 10_000;

/** What an instance remembers of subjects; those that were not asked for longest are forgotten first. */
export const subjectCache = <Value extends NonNullable<unknown>>() =>
  new LRUCache<string, Value>({ max: MAX_SUBJECTS });
