import { OAuthRefusal } from '../../platform/rules/refusal/oauth-refusal.ts';
import {
  optionalParameter,
  requiredParameter,
  type SentParameters,
} from '../../platform/rules/sent-parameters.ts';
import { routerAddresses } from '../../platform/rules/addresses.ts';

/** Source: RFC 7523 §2.1. */
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const ALWAYS = ['authorization_code', 'refresh_token'] as const;

export type GrantType = (typeof ALWAYS)[number] | typeof JWT_BEARER;

/** @param takesAssertions - whether the operator has named identity providers */
export const offeredGrantTypes = (takesAssertions: boolean): readonly GrantType[] =>
  takesAssertions ? [...ALWAYS, JWT_BEARER] : ALWAYS;

/** A grant type that every stage offers; undefined for any other. @throws OAuthRefusal invalid_request */
export const knownGrantType = (sent: SentParameters): GrantType | undefined => {
  const grantType = optionalParameter(sent, 'grant_type');
  return ALWAYS.find((one) => one === grantType);
};

/** @throws OAuthRefusal invalid_request, unsupported_grant_type. Source: RFC 6749 §5.2. */
export const readGrantType = (sent: SentParameters, takesAssertions: boolean): GrantType => {
  const offered = offeredGrantTypes(takesAssertions);
  const grantType = requiredParameter(sent, 'grant_type');
  const known = offered.find((one) => one === grantType);
  if (known !== undefined) return known;
  throw new OAuthRefusal(
    'unsupported_grant_type',
    `The grant_type must be ${offered.join(' or ')}.`,
  );
};

const SLUG = /^(?<slug>[^/?#]+)(?:\/(?:messages\/?)?)?$/;

/**
 * @throws OAuthRefusal invalid_target for several resources, or one that is not text. Source: RFC 8707 §2;
 *   docs/decisions/oauth.md, "Authorization requests".
 */
export const readResource = (sent: SentParameters): string | undefined => {
  const [resource, ...others] = (sent.get('resource') ?? []).filter(
    (value) => value !== '' && value !== null,
  );
  if (others.length > 0) throw invalidTarget('A token is for one resource.');
  if (resource === undefined || typeof resource === 'string') return resource;
  throw invalidTarget('The resource must be a string.');
};

/**
 * The slug of the deployment that a resource names, in any of its forms. A query is ignored: it belongs to the
 * address that a client was given, and names no other server. A fragment is not allowed.
 * @returns undefined if it names no deployment of this service
 * Source: RFC 8707 §2; docs/decisions/oauth.md, "One resource, three names".
 */
export const slugOfResource = (baseUrl: string, resource: string): string | undefined => {
  const root = new URL(routerAddresses(baseUrl, '').base).href;
  // Parsing normalizes the case of the host and a default port.
  const url = URL.parse(resource);
  if (!url || resource.includes('#')) return undefined;
  url.search = '';
  const { href } = url;
  if (!href.startsWith(root)) return undefined;
  return SLUG.exec(href.slice(root.length))?.groups?.['slug'];
};

/** @throws OAuthRefusal invalid_target for another resource than the granted one. Source: RFC 8707 §2.2. */
export const checkResource = (
  baseUrl: string,
  resource: string | undefined,
  slug: string,
): void => {
  if (resource === undefined || slugOfResource(baseUrl, resource) === slug) return;
  throw invalidTarget('The resource is not the one that access was granted to.');
};

const invalidTarget = (description: string) => new OAuthRefusal('invalid_target', description);
