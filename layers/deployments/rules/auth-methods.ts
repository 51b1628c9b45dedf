import { DAY, HOUR } from '../../platform/rules/time.ts';

/** How a deployment knows who calls it: all the modes there are, by their names in the management API. */
export const MCP_AUTH_METHODS = ['oauth', 'jwt', 'none'] as const;
export type McpAuthMethod = (typeof MCP_AUTH_METHODS)[number];

/** What a mode means for clients and their users. How it authenticates is the router's to know. */
export interface AuthMethodTraits {
  /**
   * Where clients get their bearer tokens: by a login at the authorization server, which the protected
   * resource metadata (RFC 9728) then lead to; from the deployment's owner; or they need none.
   */
  readonly tokensFrom: 'login' | 'owner' | 'nowhere';
  /**
   * Most seconds that a token may live which its owner mints for it, with whose rights it calls; 0: none is minted.
   * Where people sign in, one is for scripts that somebody tries it with: what runs for long signs in.
   */
  readonly mintedMaxSeconds: number;
  /** For the discovery document. */
  readonly description: string;
  /** For people who read `/docs`: a word, and what to do. */
  readonly badge: string;
  readonly explanation: string;
}

export const AUTH_METHOD_TRAITS: Readonly<Record<McpAuthMethod, AuthMethodTraits>> = {
  oauth: {
    tokensFrom: 'login',
    mintedMaxSeconds: HOUR,
    description:
      'OAuth 2.1 with PKCE. Send the access token as "Authorization: Bearer <token>"; the ' +
      'protected resource metadata names the authorization server.',
    badge: 'OAuth',
    explanation:
      'Your client opens a page where you sign in and approve its access. Nothing needs to be copied.',
  },
  jwt: {
    tokensFrom: 'owner',
    mintedMaxSeconds: DAY,
    description: 'Send a JWT issued for this server as "Authorization: Bearer <token>".',
    badge: 'Token',
    explanation: "Ask the server's owner for a token. The configurations below say where it goes.",
  },
  none: {
    tokensFrom: 'nowhere',
    mintedMaxSeconds: 0,
    description: 'This server is public: no authentication is needed.',
    badge: 'Public',
    explanation: 'No authentication is needed: paste the address into a client and go.',
  },
};

export const offersLogin = (method: McpAuthMethod): boolean =>
  AUTH_METHOD_TRAITS[method].tokensFrom === 'login';
