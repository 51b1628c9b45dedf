import { createHmac } from 'node:crypto';
import { EndedToken, InvalidToken } from '../../../tokens/rules/authorization.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { AccessToken } from '../../../tokens/rules/oauth-records.ts';

const ACCESS_TOKEN = 'mcp_access_';
const REFRESH_TOKEN = 'mcp_refresh_';

/** @param id - a random UUID. Source: docs/protocol.md, "Tokens and codes". */
export const accessTokenOf = (id: string): string => `${ACCESS_TOKEN}${id}`;

/**
 * @param secret - 256 random bits as text, here and below. Source: docs/protocol.md, "Tokens and
 * codes".
 */
export const refreshTokenOf = (secret: string): string => `${REFRESH_TOKEN}${secret}`;

export const authorizationCodeOf = (secret: string): string => `mcp_code_${secret}`;

/**
 * The code of a decision, made again where the decision is repeated: of what the browser has and of what is stored,
 * neither of which is enough.
 *
 * @param seed - 256 random bits as text
 */
export const codeOfDecision = (ticket: string, seed: string): string =>
  authorizationCodeOf(createHmac('sha256', seed).update(ticket).digest('base64url'));

/** Source: docs/protocol.md, "Tokens and codes". */
export const clientSecretOf = (secret: string): string => `secret_${secret}`;

/** Source: docs/protocol.md, "Tokens and codes". */
export const clientIdOf = (id: string): string => `${CLIENT_ID}${id}`;

export const isRegisteredId = (clientId: string): boolean => clientId.startsWith(CLIENT_ID);

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ACCESS_TOKEN_FORM = new RegExp(`^${ACCESS_TOKEN}${UUID}$`);

/** Whether a text has the form of an access token; what has not was never issued. */
export const isAccessToken = (text: string): boolean => ACCESS_TOKEN_FORM.test(text);

/** Which kind of token a text claims to be, so that no hint is needed. Source: RFC 7009 §2.1. */
export const kindOfToken = (token: string): 'access' | 'refresh' | 'unknown' => {
  if (token.startsWith(ACCESS_TOKEN)) return 'access';
  return token.startsWith(REFRESH_TOKEN) ? 'refresh' : 'unknown';
};

const CLIENT_ID = 'mcp_';

/**
 * Whether an access token opens a deployment now, as far as the token can tell.
 *
 * @param token - as it is stored, if it is
 * @throws InvalidToken
 *
 * Source: docs/protocol.md, "Bearer tokens".
 */
export const checkAccessToken = (
  token: AccessToken | undefined,
  deploymentId: string,
  now: EpochSeconds,
): AccessToken => {
  if (!token) throw new InvalidToken('unknown token');
  if (token.deploymentId !== deploymentId) throw new InvalidToken('token for another deployment');
  if (token.revoked) throw new EndedToken('token revoked');
  if (now >= token.expiresAt) throw new EndedToken('token expired');
  return token;
};
