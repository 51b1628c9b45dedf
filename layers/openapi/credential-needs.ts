import type { OpenCredential } from '../target/rules/credential.ts';

/** What a credential must be so that a target takes it, as far as the description says so. */
export type CredentialWay = OpenCredential;

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
  /** Any of these will do; none: no credential of the service can be what they ask for. */
  readonly ways: readonly CredentialWay[];
  /** Set where a bearer token is one of OAuth 2.0 or OpenID Connect, which nothing here renews. */
  readonly expires?: true;
  /** What else they would take and nothing here can send, in words. */
  readonly others: readonly string[];
}

/** A way in words, for people: `an API key in the header X-Key`. */
export const wayText = (way: CredentialWay): string => {
  switch (way.type) {
    case 'bearer':
      return 'a bearer token';
    case 'basic':
      return 'a user name and a password';
    case 'api_key':
      return `an API key in the ${PLACES[way.in]} ${way.name}`;
  }
};

const PLACES = { header: 'header', query: 'query parameter', cookie: 'cookie' } as const;
