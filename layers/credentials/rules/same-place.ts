import type { Operation } from '../../openapi/tool-index.ts';
import type { OpenCredential } from '../../target/rules/credential.ts';
import type { DeploymentCredential, NamedCredential } from './deployment-credential.ts';

/** Places of a request that a credential fills, in words: two credentials collide if they share one. */
const placesOf = (credential: OpenCredential): readonly string[] => {
  switch (credential.type) {
    case 'bearer':
    case 'basic':
    case 'oauth_client':
      return [AUTHORIZATION];
    case 'aws':
      return [AUTHORIZATION, SIGNATURE];
    case 'hmac':
      return [
        ...Object.keys(credential.headers).map((name) => keyPlace('header', name)),
        SIGNATURE,
      ];
    case 'mutual_tls':
      return ['the connection'];
    case 'session':
      return [keyPlace(credential.in ?? 'header', credential.name ?? 'Authorization')];
    case 'api_key':
      return [keyPlace(credential.in, credential.name)];
  }
};

const AUTHORIZATION = 'the header authorization';
const SIGNATURE = 'the signature';

const keyPlace = (place: 'header' | 'query' | 'cookie', name: string): string =>
  place === 'header'
    ? `the header ${name.toLowerCase()}`
    : `the ${place === 'query' ? 'query parameter' : 'cookie'} ${name}`;

/**
 * Finds another credential that would fill the same place of one request: neither names schemes and they share an
 * origin, or an operation requires schemes of both at once.
 *
 * @param operations - of the served version
 * @returns its name and the place in words
 */
export const inSamePlace = (
  [name, credential]: NamedCredential,
  others: readonly NamedCredential[],
  operations: readonly Pick<Operation, 'security'>[],
): { readonly other: string; readonly place: string } | undefined => {
  const ours = placesOf(credential);
  for (const [other, its] of others) {
    if (other === name || !mayGoTogether(credential, its, operations)) continue;
    const place = placesOf(its).find((one) => ours.includes(one));
    if (place !== undefined) return { other, place };
  }
  return undefined;
};

const mayGoTogether = (
  one: DeploymentCredential,
  other: DeploymentCredential,
  operations: readonly Pick<Operation, 'security'>[],
): boolean => {
  if (!one.schemes && !other.schemes) {
    return one.origins.some((origin) => other.origins.includes(origin));
  }
  const { schemes: ours = [] } = one;
  const { schemes: theirs = [] } = other;
  return operations.some(({ security = [] }) =>
    security.some(
      (alternative) =>
        alternative.some((scheme) => ours.includes(scheme)) &&
        alternative.some((scheme) => theirs.includes(scheme)),
    ),
  );
};
