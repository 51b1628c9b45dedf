import type { OpenCarried, OpenCredential } from '../target/rules/credential.ts';

/** A credential that a target accepts, as far as the description tells. */
export type CredentialWay = OpenCarried | { readonly type: 'aws' };

/** Operations with the same security requirement. Source: OpenAPI 3.1.1, "Security Requirement Object". */
export interface CredentialNeed {
  readonly operations: number;
  readonly example: string;
  /** Credentials, one of which suffices; if there are none here and in `together`, the service supports none. */
  readonly ways: readonly CredentialWay[];
  /** Sets of credentials, one of which suffices. */
  readonly together?: readonly (readonly CredentialWay[])[];
  /** Set where the bearer token comes from OAuth 2.0 or OpenID Connect: it expires, and is not renewed here. */
  readonly expires?: true;
  /** Operation that looks like the login for this credential: `POST /sessions`. */
  readonly login?: string;
  /** Names of the arguments that `login` takes. */
  readonly loginFields?: readonly string[];
  readonly client?: DescribedClient;
  /** Accepted credentials that the service does not support, in words. */
  readonly others: readonly string[];
}

export interface DescribedClient {
  readonly tokenUrl?: string;
  readonly issuer?: string;
  readonly scopes?: readonly string[];
}

/** A credential that meets a need, without its secrets. */
export type ProposedCredential = {
  [Kind in OpenCredential['type']]: Partial<Extract<OpenCredential, { type: Kind }>> & {
    readonly type: Kind;
  };
}[OpenCredential['type']];

/**
 * Credentials that meet a need, best first: those that are renewed, then those the description names in its order,
 * cookies last; an OAuth client after them where only its issuer is known. The console's form, commands and hints are
 * filled in from this alone.
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
  // A cookie comes from a browser's sign-in and expires.
  const isCookie = (way: CredentialWay) => way.type === 'api_key' && way.in === 'cookie';
  const asked = [...ways.filter((way) => !isCookie(way)), ...ways.filter(isCookie)];
  return client?.issuer === undefined
    ? [...begun, ...given, ...asked]
    : [...begun, ...asked, ...given];
};

export const isAuthorization = (way: CredentialWay): boolean =>
  way.type === 'bearer' ||
  (way.type === 'api_key' && way.in === 'header' && way.name.toLowerCase() === 'authorization');

/** For people: `a bearer token`, or `an API key in ... together with an API key in ...`. */
export const waysText = ({ ways, together = [] }: CredentialNeed): string =>
  [...ways.map(wayText), ...together.map((all) => all.map(wayText).join(' together with '))].join(
    ' or ',
  );

export const canBeMet = ({ ways, together = [] }: CredentialNeed): boolean =>
  ways.length + together.length > 0;

/** For people: `an API key in the header X-Key`. */
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
