import type { Operation } from '../../openapi/tool-index.ts';
import type { OpenCredential } from '../../target/rules/credential.ts';
import type { DeploymentCredential, NamedCredential } from './deployment-credential.ts';

/** Where in a request a credential goes, in words that are alike where the place is. */
const placeOf = (credential: OpenCredential): string => {
  switch (credential.type) {
    case 'bearer':
    case 'basic':
    case 'oauth_client':
    case 'aws':
      return 'the header authorization';
    case 'hmac':
      return keyPlace('header', signatureHeader(credential.headers));
    case 'mutual_tls':
      return 'the connection';
    case 'session':
      return keyPlace(credential.in ?? 'header', credential.name ?? 'Authorization');
    case 'api_key':
      return keyPlace(credential.in, credential.name);
  }
};

/** The one that has the signature. */
const signatureHeader = (headers: Readonly<Record<string, string>>): string =>
  Object.keys(headers).find((name) => headers[name]?.includes('{signature}')) ?? '';

const keyPlace = (place: 'header' | 'query' | 'cookie', name: string): string =>
  place === 'header'
    ? `the header ${name.toLowerCase()}`
    : `the ${place === 'query' ? 'query parameter' : 'cookie'} ${name}`;

/**
 * Another credential that would stand in the same place of a request, where one request may carry both: neither names
 * schemes and both may go to one origin, or an operation wants schemes of both at once.
 *
 * @param operations - of the served version
 * @returns its name and the place in words
 */
export const inSamePlace = (
  [name, credential]: NamedCredential,
  others: readonly NamedCredential[],
  operations: readonly Pick<Operation, 'security'>[],
): { readonly other: string; readonly place: string } | undefined => {
  const place = placeOf(credential);
  const found = others.find(
    ([other, its]) =>
      other !== name && placeOf(its) === place && mayGoTogether(credential, its, operations),
  );
  return found && { other: found[0], place };
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
