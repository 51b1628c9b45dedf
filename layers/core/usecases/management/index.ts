export { JWT_ALGORITHMS } from '../../domain/jwt-issuer.ts';
export { type Minted, mintToken, type MintTokenPorts, type WantedToken } from './mint-token.ts';
export { publish, type Publication, type Published, type PublishPorts } from './publish.ts';
export { revokeToken, type RevokeTokenPorts, type TokenToRevoke } from './revoke-token.ts';
