import { createHmac } from 'node:crypto';
import { EndedToken, InvalidToken } from '../../../tokens/rules/authorization.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { AccessToken } from '../../../tokens/rules/oauth-records.ts';

const ACCESS_TOKEN = 'mcp_access_';
const REFRESH_TOKEN = 'mcp_refresh_';

/** @param id - a random UUID. Source: docs/protocol.md, "Tokens and codes". */
export const accessTokenOf = (id: string): string => `${ACCESS_TOKEN}${id}`;

/** @param secret - 256 random bits as text, here and below. Source: docs/protocol.md, "Tokens and codes". */
export const refreshTokenOf = (secret: string): string => `${REFRESH_TOKEN}${secret}`;

export const authorizationCodeOf = (secret: string): string => `mcp_code_${secret}`;

/**
 * Derives the code of a decision, so that a repeated decision gives the same code. It needs the ticket of the browser
 * and the stored seed: neither alone suffices.
 * @param seed - 256 random bits as text
 */
export const codeOfDecision = (ticket: string, seed: string): string =>
  authorizationCodeOf(createHmac('sha256', seed).update(ticket).digest('base64url'));

export const clientSecretOf = (secret: string): string => `secret_${secret}`;

export const clientIdOf = (id: string): string => `${CLIENT_ID}${id}`;

export const isRegisteredId = (clientId: string): boolean => clientId.startsWith(CLIENT_ID);

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ACCESS_TOKEN_FORM = new RegExp(`^${ACCESS_TOKEN}${UUID}$`);

/** A text of any other form was never issued, so that it costs no read. */
export const isAccessToken = (text: string): boolean => ACCESS_TOKEN_FORM.test(text);

/** Kind of a token by its prefix, so that no hint is needed. Source: RFC 7009 §2.1. */
export const kindOfToken = (token: string): 'access' | 'refresh' | 'unknown' => {
  if (token.startsWith(ACCESS_TOKEN)) return 'access';
  return token.startsWith(REFRESH_TOKEN) ? 'refresh' : 'unknown';
};

const CLIENT_ID = 'mcp_';

/**
 * Checks what is stored of an access token; sign-outs and the access policy are checked elsewhere.
 * @throws InvalidToken. Source: docs/protocol.md, "Bearer tokens".
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
