import { slugOfResource } from '../parameters.ts';

/** Choice of a server on the consent page. */
export type Choice =
  | { readonly slug: string }
  | { readonly fault: 'nothing_chosen' | 'two_chosen' };

/**
 * @param listed - slug of a server from the list; empty for another server
 * @param typed - name or address of another server. Source: docs/decisions/oauth.md, "One resource, three names".
 */
export const readChoice = (baseUrl: string, listed: string, typed: string): Choice => {
  const name = typed.trim();
  const other = slugOfResource(baseUrl, name) ?? name.toLowerCase();
  const slugs = new Set([listed, other].filter((slug) => slug !== ''));
  const [slug, second] = slugs;
  // Guessing which of the two is meant could grant access to the wrong server.
  if (second !== undefined) return { fault: 'two_chosen' };
  return slug === undefined ? { fault: 'nothing_chosen' } : { slug };
};
