import { slugOfResource } from '../parameters.ts';

/** What somebody chose on a consent page that asks for the server. */
export type Choice =
  | { readonly slug: string }
  | { readonly fault: 'nothing_chosen' | 'two_chosen' };

/**
 * @param listed - the slug of a server from the list; empty for another one
 * @param typed - the name of another server, or its address
 *
 * Source: docs/decisions/oauth.md, "One resource, three names".
 */
export const readChoice = (baseUrl: string, listed: string, typed: string): Choice => {
  const name = typed.trim();
  const other = slugOfResource(baseUrl, name) ?? name.toLowerCase();
  const slugs = new Set([listed, other].filter((slug) => slug !== ''));
  const [slug, second] = slugs;
  // Which of two is meant cannot be told, and access to the wrong one is not to be had by mistake.
  if (second !== undefined) return { fault: 'two_chosen' };
  return slug === undefined ? { fault: 'nothing_chosen' } : { slug };
};
