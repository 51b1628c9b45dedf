import type { Clock, Pause } from './platform/system/clock.ts';
import type { Web } from './target/client/web.ts';
import type { TimeLeft } from './platform/rules/time-left.ts';
import type { Random } from './platform/system/random.ts';
import type {
  DeploymentEditor,
  Deployments,
  UnfinishedRemovals,
} from './deployments/store/deployment-store.ts';
import type { SearchIndexes, ToolIndexes, ToolReports } from './deployments/rules/versions.ts';
import type { Versions } from './deployments/store/versions/versions.ts';
import type { Prompts, Resources } from './contents/rules/named-contents.ts';
import type { Clients } from './oauth/store/clients.ts';
import type { ClientAssertions } from './oauth/store/client-assertions.ts';
import type { UsedMachineTokens } from './tokens/store/used-assertions.ts';
import type { IdentityAssertions } from './oauth/store/identity-assertions.ts';
import type { AuthorizationRequests } from './oauth/store/authorization-requests.ts';
import type { Codes } from './oauth/store/codes.ts';
import type { Transactions } from './platform/dynamodb/transact.ts';
import type { Grants } from './oauth/store/grants.ts';
import type { AccessTokens } from './tokens/store/access-tokens.ts';
import type { RefreshTokens } from './oauth/store/grant-items.ts';
import type { MintedTokens } from './tokens/store/minted-tokens.ts';
import type { NotBeforeRegister, NotBeforeTimes } from './tokens/rules/not-before.ts';
import type { Users } from './accounts/store/users.ts';
import type { OperatorMarks } from './accounts/store/operator-marks.ts';
import type { UserList } from './accounts/store/user-list.ts';
import type { Emails } from './accounts/store/emails.ts';
import type { Undeliverables } from './accounts/store/undeliverables.ts';
import type { MailEvents, MailRequests } from './accounts/store/mail-requests.ts';
import type { FailedWork } from './platform/sqs/failed-work.ts';
import type { MailCounts } from './accounts/store/mail-counts.ts';
import type { SentMails } from './accounts/store/sent-mails.ts';
import type { MailTokens } from './accounts/store/mail-tokens.ts';
import type { KnownDevices } from './accounts/store/known-devices.ts';
import type { Lockouts } from './accounts/store/lockouts.ts';
import type { ConsoleLinks } from './accounts/store/console-links.ts';
import type { PersonalTokens } from './accounts/store/personal-tokens.ts';
import type { CallerIdentities } from './accounts/store/caller-identities.ts';
import type { Trusts } from './accounts/store/trusts.ts';
import type { Sessions } from './accounts/store/sessions.ts';
import type { SignOuts } from './accounts/store/sign-outs.ts';
import type { Passwords } from './accounts/store/passwords.ts';
import type { CommonPasswords } from './accounts/store/common-passwords.ts';
import type { RegistrableDomains } from './platform/system/public-suffixes.ts';
import type { Mailer } from './accounts/mails/ses-mailer.ts';
import type { Signer } from './tokens/store/signer.ts';
import type { SigningKeyRegister, SigningKeys } from './tokens/rules/signing-keys.ts';
import type { JwtSignatures } from './tokens/store/jose-signatures.ts';
import type { IssuerKeys } from './tokens/store/issuer-keys.ts';
import type {
  CredentialReader,
  CredentialVault,
  CredentialVersions,
  FormerCredentials,
} from './credentials/store/stores.ts';
import type { TokenSources } from './connections/rules/token-source.ts';
import type { CachedTokens } from './connections/store/cached-tokens.ts';
import type { TokenEndpoints } from './connections/store/token-endpoints.ts';
import type { Tokens } from './connections/store/tokens.ts';
import type { Credentials } from './credentials/store/cached-credentials.ts';
import type { Counters } from './limits/store/counters.ts';
import type { Leases } from './limits/store/leases.ts';
import type { Usage } from './limits/store/usage.ts';
import type { IdempotencyRecords } from './api/store/idempotency-records.ts';
import type {
  CredentialTrials,
  DescriptionFetches,
  ToolTrials,
} from './servers/store/function-requests.ts';
import type { PublicRequests } from './limits/store/public-requests.ts';
import type { PublicRequestBlocks } from './limits/store/public-request-blocks.ts';
import type { SweepProgress } from './maintenance/store/sweep-progress.ts';
import type { StoredTables } from './platform/dynamodb/missing-tables.ts';
import type { StoredRows } from './maintenance/store/stored-rows.ts';
import type { Persons } from './maintenance/store/persons.ts';
import type { Inventories } from './maintenance/store/inventories.ts';
import type { OfferedNetwork } from './target/rules/network.ts';
import type { TargetApi } from './target/rules/web.ts';
import type { StoredReplies } from './mcp/store/stored-replies.ts';
import type { Events } from './events/store/events.ts';
import type { Activity } from './activity/store/activity.ts';
import type { CallLog } from './events/store/events.ts';
import type { CallStore } from './activity/store/call-store.ts';
import type { Calls } from './activity/store/calls.ts';
import type { RecordingLog } from './activity/store/recording-log.ts';
import type { RecordedCallStore, RecordedCalls } from './activity/store/recorded-calls.ts';
import type { RecordingKeys } from './activity/store/recording-keys.ts';
import type { CredentialMarks } from './credentials/store/credential-marks.ts';
import type { CaseStore } from './servers/store/cases.ts';
import type { Refreshes } from './deployments/store/versions/refreshes.ts';
import type { WatchedDeployments } from './maintenance/store/watched-deployments.ts';
import type { CareRequests } from './servers/store/care-requests.ts';
import type { Log } from './platform/rules/log.ts';
import type { LimitValues } from './limits/rules/limits.ts';
import type { ProtocolVersion } from './platform/rules/protocol-versions.ts';
import type { ClientDocumentHosts } from './oauth/rules/clients/client-document-hosts.ts';
import type { IdentityProvider } from './oauth/rules/tokens/identity-providers.ts';
import type { SignUpPolicy } from './accounts/rules/sign-up-policy.ts';
import type { Plan } from './limits/rules/plan.ts';

/** All that steps reach outside of themselves, by name; each step picks what it needs. */
export interface Ports {
  readonly clock: Clock;
  readonly pause: Pause;
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
  readonly transactions: Transactions;
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
  readonly sentMails: SentMails;
  readonly mailTokens: MailTokens;
  readonly knownDevices: KnownDevices;
  readonly lockouts: Lockouts;
  readonly consoleLinks: ConsoleLinks;
  readonly personalTokens: PersonalTokens;
  readonly callerIdentities: CallerIdentities;
  readonly trusts: Trusts;
  readonly usedMachineTokens: UsedMachineTokens;
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
  /** What calls carry for credentials that others give tokens for. */
  readonly connectedTokens: CachedTokens;
  readonly tokens: Tokens;
  readonly tokenSources: TokenSources;
  readonly tokenEndpoints: TokenEndpoints;
  readonly counters: Counters;
  readonly leases: Leases;
  readonly usage: Usage;
  readonly idempotencyRecords: IdempotencyRecords;
  readonly toolTrials: ToolTrials;
  readonly credentialTrials: CredentialTrials;
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
  readonly recordingLog: RecordingLog;
  readonly recordingKeys: RecordingKeys;
  readonly recordedCallStore: RecordedCallStore;
  readonly recordedCalls: RecordedCalls;
  readonly credentialMarks: CredentialMarks;
  readonly cases: CaseStore;
  readonly refreshes: Refreshes;
  readonly watchedDeployments: WatchedDeployments;
  readonly careRequests: CareRequests;
  readonly log: Log;
}

export interface Settings {
  /** Ends in `/v1`, no trailing slash. Source: docs/decisions/mcp.md, "Base URL". */
  readonly baseUrl: string;
  readonly limits: LimitValues;
  /**
   * Private-use redirect URIs that the operator allows, each exact; absent: none.
   * Source: docs/decisions/oauth.md, "Redirect URIs".
   */
  readonly allowedRedirectUris?: readonly string[];
  /**
   * Whether the authorization server's document is at the origin's root as well; absent: no.
   * Source: docs/decisions/oauth.md, "Metadata routes".
   */
  readonly rootAuthorizationServer?: boolean;
  /**
   * Set in the local run alone: pages beside those of loopback that may use deployments of mode `none`.
   * Source: docs/decisions/mcp.md, "Pages and local deployments".
   */
  readonly localOrigins?: readonly string[];
  /** Private networks that deployments may be in; absent: none. Source: docs/networks.md. */
  readonly networks?: readonly OfferedNetwork[];
  /** Versions of MCP that are served; absent: all. */
  readonly protocolVersions?: readonly ProtocolVersion[];
  /** Whether deployments have a card. Source: docs/decisions/mcp.md, "Registries and cards". */
  readonly serverCards?: boolean;
  /** Whose client metadata documents are taken; absent: everybody's. */
  readonly clientDocumentHosts?: ClientDocumentHosts;
  /** Roles of AWS that owners may choose; none where it is absent. */
  readonly assumableRoles?: readonly string[];
  /** ARN of the role that assumes them. */
  readonly connectionsRole?: string;
  /** Whose assertions buy access tokens; absent: nobody's. */
  readonly identityProviders?: readonly IdentityProvider[];
  /**
   * What the distribution before the gateway shows, one of them; absent: there is no distribution.
   * Source: docs/edge.md, "The origin secret".
   */
  readonly originSecrets?: readonly string[];
  /** Who may make an account without an operator; absent: nobody. */
  readonly signUp?: SignUpPolicy;
  /** Of accounts that people make themselves; absent: `free`. */
  readonly newAccountPlan?: Plan | undefined;
}
