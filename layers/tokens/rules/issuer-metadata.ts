import * as z from 'zod/mini';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';

/**
 * Addresses of an issuer's metadata, as an authorization server and as an OpenID provider.
 * @param issuer - a URL without query and fragment. Source: RFC 8414 §3; OpenID Connect Discovery 1.0 §4.
 */
export const metadataUrls = (issuer: string): readonly string[] => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
};

const Metadata = z.looseObject({ issuer: z.string() });

/**
 * An address in an issuer's metadata.
 * @returns `another_issuer` if the document names another issuer, so that it must not be used (RFC 8414 §3.3);
 *   `unreadable` for anything else
 */
export const addressInMetadata = (
  document: Uint8Array,
  issuer: string,
  member: 'jwks_uri' | 'token_endpoint',
): { readonly address: string } | 'another_issuer' | 'unreadable' => {
  const json = jsonOrUndefined(Buffer.from(document).toString('utf8'));
  const { data } = z.safeParse(Metadata, json);
  const address = data?.[member];
  if (typeof address !== 'string' || !URL.canParse(address)) return 'unreadable';
  return data?.issuer === issuer ? { address } : 'another_issuer';
};
