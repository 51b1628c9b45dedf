import type { RegistrableDomains } from '../../ports.ts';

/**
 * Domains by the public suffix list, those that companies give away to their customers (`github.io`,
 * `amazonaws.com`) among the suffixes. The list is loaded when somebody sets a credential.
 *
 * Source: publicsuffix.org/list, "Algorithm"; the list is that of the library's version.
 */
export const publicSuffixes = (): RegistrableDomains => ({
  of: async (host) => {
    const { getDomain } = await import('tldts');
    return getDomain(host, { allowPrivateDomains: true }) ?? undefined;
  },
});
