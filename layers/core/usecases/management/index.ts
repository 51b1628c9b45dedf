export type { User } from '../../domain/accounts/user.ts';
export { management } from '../../domain/addresses.ts';
export { JWT_ALGORITHMS } from '../../domain/jwt-issuer.ts';
export type { Settings } from '../../ports.ts';
export { requireSession, type RequireSessionPorts } from '../accounts/require-session.ts';
export { describeCredential } from './credential/describe-credential.ts';
export { removeCredential, type RemoveCredentialPorts } from './credential/remove-credential.ts';
export { setCredential, type SetCredentialPorts } from './credential/set-credential.ts';
export {
  type AccountView,
  describeAccount,
  type DescribeAccountPorts,
} from './describe-account.ts';
export { idempotently, type IdempotentlyPorts } from './idempotently.ts';
export { type Minted, mintToken, type MintTokenPorts, type WantedToken } from './mint-token.ts';
export { publish, type Publication, type Published, type PublishPorts } from './publish.ts';
export { revokeToken, type RevokeTokenPorts, type TokenToRevoke } from './revoke-token.ts';
