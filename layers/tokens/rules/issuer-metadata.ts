import * as z from 'zod/mini';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';

/**
 * Where an issuer's metadata may be: as an authorization server has it, and as an OpenID provider does.
 *
 * @param issuer - a URL without query and fragment
 * Source: RFC 8414 §3; OpenID Connect Discovery 1.0 §4.
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
 * An address that an issuer's metadata name.
 *
 * @param member - such as `token_endpoint`
 * @returns `another_issuer` where the document is not of this very issuer: then it says nothing of it (RFC 8414 §3.3);
 *   `unreadable` for anything else
 */
export const addressInMetadata = (
  document: Uint8Array,
  issuer: string,
  member: 'jwks_uri' | 'token_endpoint',
): { readonly address: string } | 'another_issuer' | 'unreadable' => {
  const { data } = z.safeParse(Metadata, metadataJson(document));
  const address = data?.[member];
  if (typeof address !== 'string' || !URL.canParse(address)) return 'unreadable';
  return data?.issuer === issuer ? { address } : 'another_issuer';
};

/** Errors of parsers quote what they read, so there are none. */
const metadataJson = (bytes: Uint8Array): unknown =>
  jsonOrUndefined(Buffer.from(bytes).toString('utf8'));
