export { type Jwt, readJwt } from './compact.ts';
export { externalUserId, readExternal } from './external.ts';
export {
  MINTED_ALGORITHM,
  MINTED_MAX_SECONDS,
  MINTED_TYPE,
  mintedClaims,
  readMinted,
} from './minted.ts';
export {
  firstRoles,
  publishedKeyIds,
  retired,
  ROLES_CACHE_SECONDS,
  rotated,
  type SigningKeyRoles,
  unusedKeyId,
  withNext,
} from './signing-key-roles.ts';
export {
  CONSOLE_TOKEN_SECONDS,
  consoleClaims,
  readSession,
  SESSION_ALGORITHM,
  SESSION_TYPE,
  sessionAudience,
  sessionClaims,
  type SessionClaims,
} from './session.ts';
