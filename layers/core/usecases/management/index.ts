export {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from '../../domain/accounts/password-length.ts';
export { MINTED_MAX_SECONDS } from '../../domain/jwt/index.ts';
export { MCP_AUTH_METHODS } from '../../domain/auth-methods.ts';
export { accessWarnings, readDomain, readEmail } from '../../domain/access/allow-list.ts';
export { MAIL_PROVIDERS } from '../../domain/access/mail-providers.ts';
export { isOrigin } from '../../domain/access/origin.ts';
export { usageSubject } from '../../domain/access/usage-subject.ts';
export { PLANS } from '../../domain/plan.ts';
export { canonicalEmail } from '../../domain/accounts/email.ts';
export type { User } from '../../domain/accounts/user.ts';
export { authorizationServer, management, routerAddresses } from '../../domain/addresses.ts';
export { clientConfigurations } from '../../domain/client-configurations.ts';
export { AUDIENCES } from '../../domain/deployments/deployment.ts';
export { contentRevision } from '../../domain/deployments/content-revision.ts';
export type { CredentialRefusals } from '../../domain/activity/index.ts';
export { isCredentialHeader } from '../../domain/credentials/forbidden-headers.ts';
export { refreshWarnings } from '../../domain/deployments/index.ts';
export type { Refreshed } from '../../ports.ts';
export type { CredentialNeed } from '../../domain/credential-needs.ts';
export type { Deployment } from '../../domain/deployments/deployment.ts';
export { REGISTRY_NAME, serverJson } from '../../domain/router/index.ts';
export {
  takeCareOfDeployment,
  type TakeCareOfDeploymentPorts,
} from './deployments/take-care-of-deployment.ts';
export { ownedDeployment } from './deployments/owned-deployment.ts';
export {
  PUBLICATION_SETTINGS,
  type SettingChanges,
  type SettingsTable,
  settingsOf,
  type SettingValues,
  SERVING_SETTINGS,
  type ToolMode,
} from '../../domain/deployments/settings.ts';
export type { ToolsDiff } from '../../domain/deployments/index.ts';
export { verdictOn } from '../../domain/model-apis/index.ts';
export type { ListedTool } from '../../domain/tool-index.ts';
export { JWT_ALGORITHMS } from '../../domain/jwt/jwt-issuer.ts';
export { type PublicationSettings, toolModeOf } from '../../domain/deployments/publication.ts';
export { isChange, type PublicationChanges } from '../../domain/deployments/publication-changes.ts';
export type { Finding } from '../../domain/refusal.ts';
export { recordChange, type RecordChangePorts } from './deployments/record-change.ts';
export type { ToolTrialResult } from '../../domain/tool-test.ts';
export type { Settings } from '../../ports.ts';
export { requireSession, type RequireSessionPorts } from '../accounts/require-session.ts';
export { readUploadedDescription } from './deployments/read-description.ts';
export type { DescriptionSource } from './descriptions/compile-description.ts';
export { createDeployment, type CreateDeploymentPorts } from './deployments/create-deployment.ts';
export { credentialOrigins, type CredentialOriginsPorts } from './credential/credential-origins.ts';
export {
  describeCredential,
  type DescribeCredentialPorts,
} from './credential/describe-credential.ts';
export { removeCredential, type RemoveCredentialPorts } from './credential/remove-credential.ts';
export { setCredential, type SetCredentialPorts } from './credential/set-credential.ts';
export {
  type AccountView,
  describeAccount,
  type DescribeAccountPorts,
} from './account/describe-account.ts';
export {
  describeDeployment,
  type DescribeDeploymentPorts,
  describeDeployments,
  listDeployments,
} from './deployments/describe-deployments.ts';
export {
  listOwnedTools,
  type ListOwnedToolsPorts,
  type OwnedTool,
} from './deployments/list-owned-tools.ts';
export { eraseAccount, type EraseAccountPorts } from './operator/erase-account.ts';
export { removeAccount, type RemoveAccountPorts } from './account/remove-account.ts';
export { removeDeployment, type RemoveDeploymentPorts } from './deployments/remove-deployment.ts';
export {
  type Revised,
  reviseDeployment,
  type ReviseDeploymentPorts,
} from './deployments/revise-deployment.ts';
export {
  releaseDeployment,
  stopDeployment,
  type StopDeploymentPorts,
} from './deployments/stop-deployment.ts';
export { tryOwnedTool, type TryOwnedToolPorts } from './deployments/try-owned-tool.ts';
export {
  listVersions,
  rollBack,
  type VersionPorts,
  type VersionView,
} from './deployments/versions.ts';
export { countWork, type CountWorkPorts } from './count-work.ts';
export { leased, type LeasedPorts } from './leased.ts';
export { idempotently, type IdempotentlyPorts } from './idempotency.ts';
export {
  type Minted,
  mintToken,
  type MintTokenPorts,
  type WantedToken,
} from './access/mint-token.ts';
export {
  publish,
  type Publication,
  type Published,
  type PublishPorts,
} from './deployments/publish.ts';
export { revokeToken, type RevokeTokenPorts, type TokenToRevoke } from './access/revoke-token.ts';
export {
  ACTIVITY_TYPES,
  type ActivityEntry,
  EVENT_TYPES,
  wireName,
  CALL_OUTCOMES,
  type CallCounts,
} from '../../domain/activity/index.ts';
export type { ActiveGrant } from '../../ports.ts';
export { type GrantPorts, listGrants, revokeGrant } from './access/grants.ts';
export {
  findJwtIssuer,
  type JwtIssuerPorts,
  removeJwtIssuer,
  setJwtIssuer,
} from './access/jwt-issuer.ts';
export {
  listAccountActivity,
  listActivity,
  type ListActivityPorts,
} from './account/list-activity.ts';
export {
  type DeploymentTotal,
  totalCallers,
  type TotalCallsPorts,
  totalOwnCalls,
} from './account/total-calls.ts';
export { ownCalls, type OwnCallsPorts } from './account/own-calls.ts';
export { endOwnGrant, listOwnGrants, type OwnGrantPorts } from './account/own-grants.ts';
export { listCalls, type ListCallsPorts, type NamedCall } from './account/list-calls.ts';
export { listTokens, type ListTokensPorts } from './access/list-tokens.ts';
export { ownPrompts, type PromptPorts } from './contents/prompts.ts';
export { ownResources, type ResourcePorts } from './contents/resources.ts';
export {
  examineDeployment,
  type ExamineDeploymentPorts,
} from './descriptions/examine-deployment.ts';
export {
  checkDescription,
  type CheckDescriptionPorts,
  type DescriptionCheck,
} from './descriptions/check-description.ts';
export { GALLERY, type GalleryEntry } from '../../domain/gallery/index.ts';
export {
  deployFromGallery,
  type DeployFromGalleryPorts,
} from './deployments/deploy-from-gallery.ts';
export { setOwnerPlan, type SetOwnerPlanPorts } from './account/set-owner-plan.ts';
export {
  type ChangePlanPorts,
  changePlan,
  endOwner,
  type EndOwnerPorts,
  findAccount,
  listAccounts,
} from './operator/accounts.ts';
export {
  requireOperator,
  type RequireOperatorPorts,
} from '../accounts/operator/require-operator.ts';
export { personTrace } from '../maintenance/persons.ts';
export { type BlockPorts, findBlocks, liftBlock } from '../maintenance/blocks.ts';
export type { BlockedSubject, ListedUser } from '../../ports.ts';
