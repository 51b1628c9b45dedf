import { createHash } from 'node:crypto';
import type { Permission } from '../../accounts/rules/permission.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';

/** An address, and the SHA-256 (hex) of what it served. */
export interface FetchedAddress {
  readonly url: string;
  readonly sha256: string;
}

export type FetchPermission = Permission<'fetch' | 'privileged_fetch'>;

/** Terms of a request for fetching: its permissions, and a check of each document before it is used. */
export interface FetchTerms {
  readonly may: FetchPermission;
  /** @throws ApiRefusal plan_stale if it differs from what was reviewed */
  readonly took: (url: string, bytes: Uint8Array) => void;
}

export const asItIs = (may: FetchPermission): FetchTerms => ({ may, took: () => undefined });

/** Accepts whatever an address serves, and records it for review. @param keep - called with each document */
export const noting = (
  may: FetchPermission,
  keep: (one: FetchedAddress, bytes: Uint8Array) => void = () => undefined,
): FetchTerms & { readonly fetched: readonly FetchedAddress[] } => {
  const fetched: FetchedAddress[] = [];
  const took = (url: string, bytes: Uint8Array) => {
    const one = { url, sha256: sha256Of(bytes) };
    fetched.push(one);
    keep(one, bytes);
  };
  return { may, took, fetched };
};

/**
 * Somebody else controls the address, and could change it between review and publication.
 *
 * @param looked - all that was fetched for the review
 */
export const onlyAs = (may: FetchPermission, looked: readonly FetchedAddress[]): FetchTerms => ({
  may,
  took: (url, bytes) => {
    const known = looked.filter((one) => one.url === url).map(({ sha256 }) => sha256);
    if (known.includes(sha256Of(bytes))) return;
    throw new ApiRefusal(
      'plan_stale',
      `What was looked at has changed: ${url}. Plan or check again.`,
      {
        where: '/openapi_url',
        what:
          known.length > 0
            ? `${url} says something else than when it was looked at`
            : `${url} was not fetched for the look`,
        hint: 'Plan or check again, and let what differs be looked at.',
      },
    );
  },
});

/** Accepts what was reviewed or, without a review, whatever an address serves. */
export const asLookedAt = (
  may: FetchPermission,
  looked: readonly FetchedAddress[] | undefined,
): FetchTerms => (looked ? onlyAs(may, looked) : asItIs(may));

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
