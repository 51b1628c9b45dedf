/** Where a credential may go that nobody named an origin for, and where the description would send it besides. */
export interface DefaultOrigins {
  readonly origins: readonly string[];
  /** Of the served version. Each is the owner's to name. */
  readonly others: readonly string[];
}

/** An origin, and the domain that somebody has registered for its host; none for addresses and public suffixes. */
export interface RegisteredOrigin {
  readonly origin: string;
  readonly domain: string | undefined;
}

/**
 * The origin of the base address, and those of the same registrable domain, which its owner runs as well. Whoever
 * writes a description can name any other.
 *
 * @param base - of the deployment's base address
 * @param served - of the served version's operations
 *
 * Source: docs/decisions/credentials.md, "Where a credential may go"; RFC 6454 §4.
 */
export const defaultOrigins = (
  base: RegisteredOrigin,
  served: readonly RegisteredOrigin[],
): DefaultOrigins => {
  const isOwn = ({ origin, domain }: RegisteredOrigin): boolean =>
    origin === base.origin ||
    (domain !== undefined && domain === base.domain && isAsSafe(origin, base.origin));
  const own = served.filter(isOwn).map(({ origin }) => origin);
  return {
    origins: [...new Set([base.origin, ...own])],
    others: served.filter((one) => !isOwn(one)).map(({ origin }) => origin),
  };
};

/** Nothing that is meant for an encrypted connection goes out without one. */
const isAsSafe = (origin: string, base: string): boolean =>
  origin.startsWith('https:') || base.startsWith('http:');
