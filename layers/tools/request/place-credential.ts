import { isHeaderName, isHeaderValue } from '../../target/rules/protected-headers.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import type { Credential } from '../../target/rules/credential.ts';
import type { Pair } from './parameter-pairs.ts';
import { spellingsOf } from './reserved-names.ts';

/** Whether the credential is sent under this name, in any spelling, so that no argument may be. */
export type IsCredentialName = (name: string) => boolean;

/** Where a credential goes in a request, and which names it keeps from the arguments. */
export interface PlacedCredential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly Pair[];
  readonly cookies: readonly Pair[];
  readonly isHeader: IsCredentialName;
  readonly isQuery: IsCredentialName;
  readonly isCookie: IsCredentialName;
}

/**
 * A deployment's credential as parts of a request.
 *
 * @throws RpcRefusal `server_error` if the secret holds what a header cannot
 * Source: RFC 6750 §2.1; RFC 7617 (UTF-8); OpenAPI 3.1.1, Security Scheme Object.
 */
export const placeCredential = (credential: Credential | undefined): PlacedCredential => {
  switch (credential?.type) {
    case undefined:
      return NOWHERE;
    case 'bearer':
      return inHeader('authorization', `Bearer ${credential.token}`);
    case 'basic': {
      const pair = Buffer.from(`${credential.username}:${credential.password}`, 'utf8');
      return inHeader('authorization', `Basic ${pair.toString('base64')}`);
    }
    case 'api_key':
      return placeKey(credential.in, credential.name, credential.value);
  }
};

const nothing: IsCredentialName = () => false;

const NOWHERE: PlacedCredential = {
  headers: {},
  query: [],
  cookies: [],
  isHeader: nothing,
  isQuery: nothing,
  isCookie: nothing,
};

const placeKey = (
  place: 'header' | 'query' | 'cookie',
  name: string,
  value: string,
): PlacedCredential => {
  const isName: IsCredentialName = spellingsOf(place, name);
  switch (place) {
    case 'header':
      return inHeader(name.toLowerCase(), value);
    case 'query':
      return { ...NOWHERE, query: [[name, value]], isQuery: isName };
    case 'cookie':
      return { ...NOWHERE, cookies: [[name, cookieValue(value)]], isCookie: isName };
  }
};

const inHeader = (name: string, value: string): PlacedCredential => {
  if (!isHeaderValue(value) || !isHeaderName(name)) {
    throw new RpcRefusal('server_error', 'The credential of this server cannot be sent.');
  }
  return { ...NOWHERE, headers: { [name]: value }, isHeader: spellingsOf('header', name) };
};

/** As it is where a cookie can hold it: the owner copied it from where it was issued. Source: RFC 6265 §4.1.1. */
const cookieValue = (value: string): string =>
  /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value) ? value : encodeURIComponent(value);
