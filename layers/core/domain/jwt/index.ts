export { type Jwt, readJwt } from './compact.ts';
export { type ExternalUser, readExternal } from './external.ts';
export {
  MINTED_ALGORITHM,
  MINTED_MAX_SECONDS,
  MINTED_TYPE,
  mintedClaims,
  readMinted,
} from './minted.ts';
export {
  readSession,
  SESSION_ALGORITHM,
  SESSION_TYPE,
  type SessionClaims,
  type SessionTerms,
} from './session.ts';
