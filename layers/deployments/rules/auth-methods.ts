import { DAY, HOUR } from '../../platform/rules/time.ts';

export const MCP_AUTH_METHODS = ['oauth', 'jwt', 'none'] as const;
export type McpAuthMethod = (typeof MCP_AUTH_METHODS)[number];

/** What a mode means for clients and people. The router knows how it authenticates. */
export interface AuthMethodTraits {
  /** Source of bearer tokens. A login is at the server that protected resource metadata (RFC 9728) name. */
  readonly tokensFrom: 'login' | 'owner' | 'nowhere';
  /** Longest life of minted tokens, which call with the owner's rights; 0: none. Short where people can sign in. */
  readonly mintedMaxSeconds: number;
  /** Shown in the discovery document. */
  readonly description: string;
  /** Shown on `/docs`. */
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
