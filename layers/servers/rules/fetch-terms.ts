import { createHash } from 'node:crypto';
import type { Permission } from '../../accounts/rules/permission.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';

/** An address, and SHA-256 (hex) of what it said. */
export interface FetchedAddress {
  readonly url: string;
  readonly sha256: string;
}

export type FetchPermission = Permission<'fetch' | 'privileged_fetch'>;

/** Under which a request fetches: what it may, and what becomes of what an address said before anything is made of it. */
export interface FetchTerms {
  readonly may: FetchPermission;
  /** @throws ApiRefusal plan_stale where it is not what was looked at */
  readonly took: (url: string, bytes: Uint8Array) => void;
}

/** Whatever an address says. */
export const asItIs = (may: FetchPermission): FetchTerms => ({ may, took: () => undefined });

/**
 * The same, noted for whoever is to fetch no other.
 *
 * @param keep - is told of each, too
 */
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
 * Only what was noted when it was looked at: what is reviewed is what is published, although somebody else decides what
 * an address says.
 *
 * @param looked - all that was fetched then
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

/** What somebody has looked at, if they have; else whatever an address says. */
export const asLookedAt = (
  may: FetchPermission,
  looked: readonly FetchedAddress[] | undefined,
): FetchTerms => (looked ? onlyAs(may, looked) : asItIs(may));

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
