/**
 * Domains by the public suffix list, those that companies give away to their customers (`github.io`,
 * `amazonaws.com`) among the suffixes. The list is loaded when somebody sets a credential, or
 * names domains of a company.
 *
 * Source: publicsuffix.org/list, "Algorithm"; the list is that of the library's version.
 */
export const publicSuffixes = () => ({
  /** The domain that somebody has registered for a host: `example.co.uk`; none for an address or a public suffix. */
  of: async (host: string): Promise<string | undefined> => {
    const { getDomain } = await import('tldts');
    return getDomain(host, { allowPrivateDomains: true }) ?? undefined;
  },
});

export type RegistrableDomains = ReturnType<typeof publicSuffixes>;
