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
export { ACTIVITY_TYPES, type ActivityEntry } from '../../domain/activity/index.ts';
export type { LiveGrant } from '../../ports.ts';
export { type BlockPorts, liftBlock, listBlocks } from './blocks.ts';
export { type GrantPorts, listGrants, revokeGrant } from './grants.ts';
export { findJwtIssuer, type JwtIssuerPorts, removeJwtIssuer, setJwtIssuer } from './jwt-issuer.ts';
export { listActivity, type ListActivityPorts } from './list-activity.ts';
export { listTokens, type ListTokensPorts } from './list-tokens.ts';
export { ownPrompts, type PromptPorts } from './prompts.ts';
export { ownResources, type ResourcePorts } from './resources.ts';
