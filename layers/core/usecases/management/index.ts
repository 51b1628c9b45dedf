export type { User } from '../../domain/accounts/user.ts';
export { management, routerAddresses } from '../../domain/addresses.ts';
export { contentRevision } from '../../domain/deployments/content-revision.ts';
export type { Deployment } from '../../domain/deployment.ts';
export type { ToolsDiff } from '../../domain/deployments/index.ts';
export { type ListedTool, verdictOn } from '../../domain/model-apis/index.ts';
export { JWT_ALGORITHMS } from '../../domain/jwt-issuer.ts';
export {
  inToolMode,
  type PublicationSettings,
  type ToolMode,
  toolModeOf,
} from '../../domain/publication.ts';
export type { Finding } from '../../domain/refusal.ts';
export type { ToolTrialResult } from '../../domain/tool-test.ts';
export type { Settings } from '../../ports.ts';
export { requireSession, type RequireSessionPorts } from '../accounts/require-session.ts';
export type { DescriptionSource } from './compile-description.ts';
export { createDeployment, type CreateDeploymentPorts } from './create-deployment.ts';
export { describeCredential } from './credential/describe-credential.ts';
export { removeCredential, type RemoveCredentialPorts } from './credential/remove-credential.ts';
export { setCredential, type SetCredentialPorts } from './credential/set-credential.ts';
export {
  type AccountView,
  describeAccount,
  type DescribeAccountPorts,
} from './describe-account.ts';
export { describeDeployment, listDeployments } from './describe-deployments.ts';
export { listOwnedTools, type ListOwnedToolsPorts, type OwnedTool } from './list-owned-tools.ts';
export { removeAccount, type RemoveAccountPorts } from './remove-account.ts';
export { removeDeployment, type RemoveDeploymentPorts } from './remove-deployment.ts';
export { type Revised, reviseDeployment, type ReviseDeploymentPorts } from './revise-deployment.ts';
export { tryOwnedTool, type TryOwnedToolPorts } from './try-owned-tool.ts';
export { sweep, type SweepPorts } from './sweep.ts';
export { listVersions, rollBack, type VersionPorts, type VersionView } from './versions.ts';
export { idempotently, type IdempotentlyPorts } from './idempotently.ts';
export { type Minted, mintToken, type MintTokenPorts, type WantedToken } from './mint-token.ts';
export { publish, type Publication, type Published, type PublishPorts } from './publish.ts';
export { revokeToken, type RevokeTokenPorts, type TokenToRevoke } from './revoke-token.ts';
export { ACTIVITY_TYPES, type ActivityEntry, EVENT_TYPES } from '../../domain/activity/index.ts';
export type { LiveGrant } from '../../ports.ts';
export { type GrantPorts, listGrants, revokeGrant } from './grants.ts';
export { findJwtIssuer, type JwtIssuerPorts, removeJwtIssuer, setJwtIssuer } from './jwt-issuer.ts';
export { listAccountActivity, listActivity, type ListActivityPorts } from './list-activity.ts';
export { listTokens, type ListTokensPorts } from './list-tokens.ts';
export { ownPrompts, type PromptPorts } from './prompts.ts';
export { ownResources, type ResourcePorts } from './resources.ts';
export { GALLERY, type GalleryEntry } from '../../domain/gallery/index.ts';
export { deployFromGallery, type DeployFromGalleryPorts } from './deploy-from-gallery.ts';
export { liftBlock, listBlocks, type BlockPorts } from './blocks.ts';
export { setOwnerPlan, type SetOwnerPlanPorts } from './set-owner-plan.ts';
