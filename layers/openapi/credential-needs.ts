import type { OpenCarried } from '../target/rules/credential.ts';

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
  /** What else they would take and nothing here can send, in words. */
  readonly others: readonly string[];
}

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
