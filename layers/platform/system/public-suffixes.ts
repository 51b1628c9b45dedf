/**
 * Registrable domains by the public suffix list, including its private section (`github.io`, `amazonaws.com`). The list
 * is loaded only when a credential is set or domains of a company are named.
 * Source: publicsuffix.org/list, "Algorithm"; the list is that of the library's version.
 */
export const publicSuffixes = () => ({
  /** Registrable domain of a host, such as `example.co.uk`; undefined for an IP address or a public suffix. */
  of: async (host: string): Promise<string | undefined> => {
    const { getDomain } = await import('tldts');
    return getDomain(host, { allowPrivateDomains: true }) ?? undefined;
  },
});

export type RegistrableDomains = ReturnType<typeof publicSuffixes>;
