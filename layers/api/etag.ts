import type { HttpEvent } from '../platform/http/event.ts';

/** Revisions are strong validators: every change makes another one. Source: RFC 9110 §8.8.3. */
export const etag = (revision: number | string) => ({ etag: `"${revision}"` });

/**
 * Which revisions a change may be made to. `*`, like no header at all, means whichever there is. Weak
 * ones match none.
 *
 * @returns undefined for any; an empty list for what no revision is
 *
 * Source: RFC 9110 §13.1.1.
 */
export const ifMatch = ({ headers }: HttpEvent): readonly string[] | undefined => {
  const sent = headers['if-match']?.trim();
  if (sent === undefined || sent === '*') return undefined;
  return sent.split(',').flatMap((tag) => /^\s*"([\w-]{1,100})"\s*$/.exec(tag)?.slice(1) ?? []);
};

/** The same where revisions are counted. */
export const ifMatchNumber = (event: HttpEvent): readonly number[] | undefined =>
  ifMatch(event)?.flatMap((tag) => (/^\d{1,15}$/.test(tag) ? [Number(tag)] : []));
