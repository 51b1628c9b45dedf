import type {
  CommonPasswords,
  ConsoleLinks,
  Emails,
  KnownDevices,
  Lockouts,
  MailCounts,
  Mailer,
  MailRequests,
  MailTokens,
  OperatorMarks,
  Passwords,
  Sessions,
  SignOuts,
  Signer,
  SigningKeyRegister,
  SigningKeys,
  Undeliverables,
  UserList,
  Users,
} from './ports/accounts.ts';
import type { Activity, CallLog, Calls, CallStore, CredentialMarks } from './ports/activity.ts';
import type { StoredReplies } from './ports/answers.ts';
import type { Prompts, Resources } from './ports/contents.ts';
import type {
  CredentialReader,
  Credentials,
  CredentialVault,
  FormerCredentials,
  RegistrableDomains,
} from './ports/credentials.ts';
import type { DeploymentEditor, Deployments } from './ports/deployments.ts';
import type { Events, Log } from './ports/events.ts';
import type { FailedWork, MailEvents } from './ports/failed-work.ts';
import type { IssuerKeys, JwtSignatures } from './ports/jwt.ts';
import type {
  Counters,
  Leases,
  PublicRequestBlocks,
  PublicRequests,
  Usage,
} from './ports/limits.ts';
import type {
  CareRequests,
  SweepProgress,
  UnfinishedRemovals,
  WatchedDeployments,
} from './ports/maintenance.ts';
import type { IdempotencyRecords, DescriptionFetches, ToolTrials } from './ports/management.ts';
import type {
  AccessTokens,
  AuthorizationRequests,
  ClientAssertions,
  IdentityAssertions,
  Clients,
  Codes,
  Grants,
  MintedTokens,
  NotBeforeRegister,
  NotBeforeTimes,
  RefreshTokens,
} from './ports/oauth.ts';
import type { Persons } from './ports/persons.ts';
import type { CredentialVersions, Inventories, StoredRows, StoredTables } from './ports/restore.ts';
import type { Clock, Random, Settings, TimeLeft } from './ports/system.ts';
import type {
  Refreshes,
  SearchIndexes,
  ToolIndexes,
  ToolReports,
  Versions,
} from './ports/versions.ts';
import type { TargetApi, Web } from './ports/web.ts';

export type * from './ports/accounts.ts';
export type * from './ports/activity.ts';
export type * from './ports/answers.ts';
export type * from './ports/contents.ts';
export type * from './ports/credentials.ts';
export type * from './ports/deployments.ts';
export type * from './ports/events.ts';
export type * from './ports/failed-work.ts';
export type * from './ports/jwt.ts';
export type * from './ports/limits.ts';
export type * from './ports/maintenance.ts';
export type * from './ports/management.ts';
export type * from './ports/oauth.ts';
export type * from './ports/persons.ts';
export type * from './ports/restore.ts';
export type * from './ports/system.ts';
export type * from './ports/versions.ts';
export type * from './ports/web.ts';

/** What the core needs from the world. Use cases pick from it; adapters implement it. */
export interface Ports {
  readonly clock: Clock;
  readonly timeLeft: TimeLeft;
  readonly random: Random;
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
  readonly clientAssertions: ClientAssertions;
  readonly identityAssertions: IdentityAssertions;
  readonly authorizationRequests: AuthorizationRequests;
  readonly codes: Codes;
  readonly grants: Grants;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly mintedTokens: MintedTokens;
  readonly notBefore: NotBeforeTimes;
  readonly notBeforeRegister: NotBeforeRegister;
  readonly users: Users;
  readonly operatorMarks: OperatorMarks;
  readonly userList: UserList;
  readonly emails: Emails;
  readonly undeliverables: Undeliverables;
  readonly mailRequests: MailRequests;
  readonly mailEvents: MailEvents;
  readonly failedWork: FailedWork;
  readonly mailCounts: MailCounts;
  readonly mailTokens: MailTokens;
  readonly knownDevices: KnownDevices;
  readonly lockouts: Lockouts;
  readonly consoleLinks: ConsoleLinks;
  readonly sessions: Sessions;
  readonly signOuts: SignOuts;
  readonly passwords: Passwords;
  readonly commonPasswords: CommonPasswords;
  readonly registrableDomains: RegistrableDomains;
  readonly mailer: Mailer;
  readonly signer: Signer;
  readonly signingKeys: SigningKeys;
  /** Of minted tokens alone: no session is believed that one of them has signed. */
  readonly mintingKeys: SigningKeys;
  readonly signingKeyRegister: SigningKeyRegister;
  readonly jwtSignatures: JwtSignatures;
  readonly issuerKeys: IssuerKeys;
  readonly credentialVault: CredentialVault;
  readonly credentialReader: CredentialReader;
  readonly credentials: Credentials;
  readonly counters: Counters;
  readonly leases: Leases;
  readonly usage: Usage;
  readonly idempotencyRecords: IdempotencyRecords;
  readonly toolTrials: ToolTrials;
  readonly descriptionFetches: DescriptionFetches;
  readonly publicRequests: PublicRequests;
  readonly publicRequestBlocks: PublicRequestBlocks;
  readonly unfinishedRemovals: UnfinishedRemovals;
  readonly sweepProgress: SweepProgress;
  readonly storedTables: StoredTables;
  readonly storedRows: StoredRows;
  readonly persons: Persons;
  readonly inventories: Inventories;
  readonly credentialVersions: CredentialVersions;
  /** Where the stage has changed its store. */
  readonly formerCredentials: FormerCredentials | undefined;
  readonly targetApi: TargetApi;
  readonly storedReplies: StoredReplies;
  readonly web: Web;
  readonly events: Events;
  readonly activity: Activity;
  readonly callLog: CallLog;
  readonly callStore: CallStore;
  readonly calls: Calls;
  readonly credentialMarks: CredentialMarks;
  readonly refreshes: Refreshes;
  readonly watchedDeployments: WatchedDeployments;
  readonly careRequests: CareRequests;
  readonly log: Log;
}
