import type { HttpEvent } from '@hosted-mcp/core/http';

/** Revisions are strong validators: any change counts one up. Source: RFC 9110 §8.8.3. */
export const etag = (revision: number) => ({ etag: `"${revision}"` });

/**
 * Which revisions a change may be made to. `*`, like no header at all, means whichever there is.
 *
 * @returns undefined for any; an empty list for what no revision is, which matches none
 *
 * Source: RFC 9110 §13.1.1.
 */
export const ifMatch = ({ headers }: HttpEvent): readonly number[] | undefined => {
  const sent = headers['if-match']?.trim();
  if (sent === undefined || sent === '*') return undefined;
  return sent.split(',').flatMap((tag) => {
    const [, digits] = /^\s*"(\d{1,15})"\s*$/.exec(tag) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
};
