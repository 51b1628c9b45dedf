import type { OpenCarried, OpenCredential } from '../target/rules/credential.ts';

/** What a credential must be so that a target takes it, as far as the description says so. */
export type CredentialWay = OpenCarried | { readonly type: 'aws' };

/**
 * Operations that ask for the same.
 *
 * Source: OpenAPI 3.1.1, "Security Requirement Object", "Security Scheme Object".
 */
export interface CredentialNeed {
  /** How many they are. */
  readonly operations: number;
  /** One of them: `GET /pets`. */
  readonly example: string;
  /** Any of these will do; none, and none together: no credential of the service can be what they ask for. */
  readonly ways: readonly CredentialWay[];
  /** Or all of one of these together, each a credential of its own. */
  readonly together?: readonly (readonly CredentialWay[])[];
  /** Set where a bearer token is one of OAuth 2.0 or OpenID Connect, which nothing here renews. */
  readonly expires?: true;
  /** The operation that looks like the login which gives it: `POST /sessions`. */
  readonly login?: string;
  /** What it has to be given, by the names of its arguments. */
  readonly loginFields?: readonly string[];
  /** The OAuth client that such a token can be asked for with, as far as the description says. */
  readonly client?: DescribedClient;
  /** What else they would take and nothing here can send, in words. */
  readonly others: readonly string[];
}

/** Where tokens are given for client credentials, or who gives them, and what they have to allow. */
export interface DescribedClient {
  readonly tokenUrl?: string;
  readonly issuer?: string;
  readonly scopes?: readonly string[];
}

/** What may be set so that operations are let in, as far as it is known before anybody has a secret. */
export type ProposedCredential = {
  [Kind in OpenCredential['type']]: Partial<Extract<OpenCredential, { type: Kind }>> & {
    readonly type: Kind;
  };
}[OpenCredential['type']];

/**
 * What to set for a need, the best first: what is renewed before what ends, then what the description asks for in its
 * own order, cookies last. An issuer that nobody says gives tokens for client credentials comes last. The console's form, commands and
 * hints are filled in from this alone.
 */
export const proposedCredentials = ({
  ways,
  login,
  client,
}: CredentialNeed): readonly ProposedCredential[] => {
  const key = ways.some(({ type }) => type === 'bearer')
    ? undefined
    : ways.find((way) => way.type === 'api_key');
  const place = key && !isAuthorization(key) ? { in: key.in, name: key.name } : {};
  const begun = login === undefined ? [] : [{ type: 'session', login, ...place } as const];
  const given = client === undefined ? [] : [{ type: 'oauth_client', ...client } as const];
  // A cookie is what browsers get from a sign-in page, and ends.
  const isCookie = (way: CredentialWay) => way.type === 'api_key' && way.in === 'cookie';
  const asked = [...ways.filter((way) => !isCookie(way)), ...ways.filter(isCookie)];
  return client?.issuer === undefined
    ? [...begun, ...given, ...asked]
    : [...begun, ...asked, ...given];
};

/** Whether it is a token of whatever kind in the header of that name. */
export const isAuthorization = (way: CredentialWay): boolean =>
  way.type === 'bearer' ||
  (way.type === 'api_key' && way.in === 'header' && way.name.toLowerCase() === 'authorization');

/** What they ask for in words, for people: `a bearer token`, or `an API key in ... together with an API key in ...`. */
export const waysText = ({ ways, together = [] }: CredentialNeed): string =>
  [...ways.map(wayText), ...together.map((all) => all.map(wayText).join(' together with '))].join(
    ' or ',
  );

/** Whether credentials can be what they ask for. */
export const canBeMet = ({ ways, together = [] }: CredentialNeed): boolean =>
  ways.length + together.length > 0;

/** A way in words, for people: `an API key in the header X-Key`. */
export const wayText = (way: CredentialWay): string => {
  switch (way.type) {
    case 'bearer':
      return 'a bearer token';
    case 'basic':
      return 'a user name and a password';
    case 'hmac':
      return 'a signature of each request';
    case 'mutual_tls':
      return 'a client certificate';
    case 'aws':
      return 'signatures of an AWS role';
    case 'api_key':
      return `an API key in the ${PLACES[way.in]} ${way.name}`;
  }
};

const PLACES = { header: 'header', query: 'query parameter', cookie: 'cookie' } as const;
