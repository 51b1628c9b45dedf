import type {
  Lockouts,
  Mailer,
  MailTokens,
  Passwords,
  Sessions,
  Signer,
  SigningKeys,
  Users,
} from './ports/accounts.ts';
import type { Activity, ToolCounts } from './ports/activity.ts';
import type { KeptAnswers } from './ports/answers.ts';
import type { Prompts, Resources } from './ports/contents.ts';
import type { CredentialReader, Credentials, CredentialVault } from './ports/credentials.ts';
import type { DeploymentEditor, Deployments } from './ports/deployments.ts';
import type { Events, Log } from './ports/events.ts';
import type { IssuerKeys, JwtSignatures } from './ports/jwt.ts';
import type { Counters, PublicRequests, Usage } from './ports/limits.ts';
import type { OwnedSlugs, Removals, Repeatables, ToolTrials } from './ports/management.ts';
import type {
  AccessTokens,
  AuthorizationRequests,
  Clients,
  Codes,
  Grants,
  MintedTokens,
  RefreshTokens,
} from './ports/oauth.ts';
import type { Clock, Mint, Settings } from './ports/system.ts';
import type { SearchIndexes, ToolIndexes, ToolReports, Versions } from './ports/versions.ts';
import type { TargetApi, Web } from './ports/web.ts';

export type * from './ports/accounts.ts';
export type * from './ports/activity.ts';
export type * from './ports/answers.ts';
export type * from './ports/contents.ts';
export type * from './ports/credentials.ts';
export type * from './ports/deployments.ts';
export type * from './ports/events.ts';
export type * from './ports/jwt.ts';
export type * from './ports/limits.ts';
export type * from './ports/management.ts';
export type * from './ports/oauth.ts';
export type * from './ports/system.ts';
export type * from './ports/versions.ts';
export type * from './ports/web.ts';

/** What the core needs from the world. Use cases pick from it; adapters implement it. */
export interface Ports {
  readonly clock: Clock;
  readonly mint: Mint;
  readonly settings: Settings;
  readonly deployments: Deployments;
  readonly deploymentEditor: DeploymentEditor;
  readonly toolIndexes: ToolIndexes;
  readonly searchIndexes: SearchIndexes;
  readonly toolReports: ToolReports;
  readonly versions: Versions;
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly clients: Clients;
  readonly authorizationRequests: AuthorizationRequests;
  readonly codes: Codes;
  readonly grants: Grants;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly mintedTokens: MintedTokens;
  readonly users: Users;
  readonly mailTokens: MailTokens;
  readonly lockouts: Lockouts;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly mailer: Mailer;
  readonly signer: Signer;
  readonly signingKeys: SigningKeys;
  readonly jwtSignatures: JwtSignatures;
  readonly issuerKeys: IssuerKeys;
  readonly credentialVault: CredentialVault;
  readonly credentialReader: CredentialReader;
  readonly credentials: Credentials;
  readonly counters: Counters;
  readonly usage: Usage;
  readonly repeatables: Repeatables;
  readonly ownedSlugs: OwnedSlugs;
  readonly removals: Removals;
  readonly toolTrials: ToolTrials;
  readonly publicRequests: PublicRequests;
  readonly targetApi: TargetApi;
  readonly keptAnswers: KeptAnswers;
  readonly web: Web;
  readonly events: Events;
  readonly toolCounts: ToolCounts;
  readonly activity: Activity;
  readonly log: Log;
}
