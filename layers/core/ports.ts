import type { Placement, Room } from './domain/content-names.ts';
import type { Deployment, Prompt, Resource } from './domain/deployment.ts';
import type { LimitValues } from './domain/access/limits.ts';
import type { Plan } from './domain/plan.ts';
import type { CredentialFailure } from './domain/credential-access.ts';
import type { TargetAnswer, TargetRequest, NoAnswerReason } from './domain/target.ts';
import type { PublicationSettings } from './domain/publication.ts';
import type { Finding } from './domain/refusal.ts';
import type { EpochSeconds } from './domain/time.ts';
import type { ToolIndex } from './domain/tool-index.ts';
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
import type { CredentialReader, Credentials, CredentialVault } from './ports/credentials.ts';
import type { Activity, ToolCounts } from './ports/activity.ts';
import type { IssuerKeys, JwtSignatures } from './ports/jwt.ts';
import type { Counters, Usage } from './ports/limits.ts';
import type {
  OwnedSlugs,
  Page,
  PageQuery,
  Removals,
  Repeatables,
  ToolTrials,
} from './ports/management.ts';
import type {
  AccessTokens,
  AuthorizationRequests,
  Clients,
  Codes,
  Grants,
  MintedTokens,
  RefreshTokens,
} from './ports/oauth.ts';

export type * from './ports/accounts.ts';
export type * from './ports/activity.ts';
export type * from './ports/credentials.ts';
export type * from './ports/jwt.ts';
export type * from './ports/limits.ts';
export type * from './ports/management.ts';
export type * from './ports/oauth.ts';

/** What the core needs from the world. Use cases pick from it; adapters implement it. */
export interface Ports {
  readonly clock: Clock;
  readonly mint: Mint;
  readonly settings: Settings;
  readonly deployments: Deployments;
  readonly deploymentEditor: DeploymentEditor;
  readonly toolIndexes: ToolIndexes;
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
  readonly web: Web;
  readonly events: Events;
  readonly toolCounts: ToolCounts;
  readonly activity: Activity;
  readonly log: Log;
}

export interface Clock {
  /** Epoch seconds, whole. */
  now(): EpochSeconds;
  /** Milliseconds on a clock that never goes back, for durations only. */
  elapsedMs(): number;
}

/** Randomness. */
export interface Mint {
  /** A UUID, version 4. */
  id(): string;
  /** 32 random bytes, base64url. */
  secret(): string;
}

export interface Settings {
  /** Ends in `/v1`, no trailing slash. Source: D1. */
  readonly baseUrl: string;
  readonly limits: LimitValues;
  /** Private-use redirect URIs that the operator allows, each exact; absent: none. Source: D21. */
  readonly allowedRedirectUris?: readonly string[];
}

/** The read side of deployments. */
export interface Deployments {
  /** May be up to 15 s old. `undefined`: no such slug. */
  find(slug: string): Promise<Deployment | undefined>;
  /** Whether `find` would answer from memory, so that nothing has to be done while it reads. */
  knows(slug: string): boolean;
  /** For a person to choose from: paused ones too, the newest first. May lag behind a moment; `find` decides. */
  listByOwner(ownerId: string): Promise<readonly Deployment[]>;
}

/** The write side, as the management function has it. Reads are strongly consistent. */
export interface DeploymentEditor {
  read(slug: string): Promise<Deployment | undefined>;
  /** @returns false if the slug is taken */
  create(deployment: Deployment): Promise<boolean>;
  /** Writes if the stored item still has `revision - 1`. @returns false if it was changed meanwhile */
  replace(deployment: Deployment): Promise<boolean>;
  /** Does nothing if the slug is free, or is another deployment's by now. */
  remove(deployment: Pick<Deployment, 'id' | 'slug'>): Promise<void>;
  /** The newest first, those that are being removed too. May lag behind a moment. */
  listByOwner(ownerId: string, page: PageQuery): Promise<Page<Deployment>>;
  /** Every deployment, in no order: for the sweep. */
  all(): AsyncIterable<Deployment>;
}

/** The compiled tools of a version: immutable, so they may be cached for ever. */
export interface ToolIndexes {
  find(deploymentId: string, version: number): Promise<ToolIndex | undefined>;
}

export interface StoredVersion {
  readonly deploymentId: string;
  readonly version: number;
  readonly index: ToolIndex;
  /** The description as it was uploaded. */
  readonly description: string;
  /** Whether the description's schema keys allow the table; a compressed size of 350 KB or more never does (D31). */
  readonly inline: boolean;
  readonly notes: VersionNotes;
}

/** What is worth knowing of a version without reading it, and what returning to it takes. */
export interface VersionNotes {
  readonly toolCount: number;
  readonly apiBaseUrl: string;
  readonly sourceHash: string;
  readonly publication: PublicationSettings;
  readonly warnings: readonly Finding[];
  readonly createdAt: EpochSeconds;
}

/** That something of a version is stored, and since when. */
export interface StoredPart {
  readonly version: number;
  readonly since: EpochSeconds;
}

export interface Versions {
  /**
   * Stores a version once and for ever. File names carry the content's hash, so that of two racing
   * publications neither overwrites what the other has stored.
   *
   * @returns false if the deployment already has a version of this number: nothing is overwritten
   */
  put(version: StoredVersion): Promise<boolean>;
  notes(deploymentId: string, version: number): Promise<VersionNotes | undefined>;
  /** The description as it was uploaded. */
  description(deploymentId: string, version: number): Promise<string | undefined>;
  /** Of all versions that have been stored, also of those that never came to be served. */
  stored(deploymentId: string): Promise<readonly StoredPart[]>;
  remove(deploymentId: string, version: number): Promise<void>;
  /** All that was ever stored under this id, resources and prompts included. May be repeated. */
  removeAll(deploymentId: string): Promise<void>;
}

/**
 * What a deployment holds of one kind, known by name. Names, uris and limits hold exactly, however many
 * write at once.
 */
export interface NamedContents<Content> {
  list(deploymentId: string): Promise<readonly Content[]>;
  find(deploymentId: string, name: string): Promise<Content | undefined>;
  /** Writes it whatever is there, and asks for no room. */
  put(deploymentId: string, content: Content): Promise<void>;
  create(deploymentId: string, content: Content, room: Room, now: EpochSeconds): Promise<Placement>;
  replace(
    deploymentId: string,
    content: Content,
    room: Room,
    now: EpochSeconds,
  ): Promise<Placement | 'missing'>;
  /** @returns false if there was none */
  remove(deploymentId: string, name: string): Promise<boolean>;
}

export type Resources = NamedContents<Resource>;
export type Prompts = NamedContents<Prompt>;

/** Requests to `none` deployments, counted per client address. Source: D15, D39. */
export interface PublicRequests {
  /**
   * Counts `cost` requests of one subject (an IPv4 address or an IPv6 /64) and says whether they may pass.
   * Beyond five times the limit in one minute the subject is blocked for an hour.
   *
   * @throws Fault when the store is down: callers fail closed
   */
  count(subject: string, cost: number, now: EpochSeconds): Promise<PublicVerdict>;
  /** Lifts a block and begins the count anew; other instances let go of it within a minute. @returns false if there was none */
  unblock(subject: string, now: EpochSeconds): Promise<boolean>;
  /** Reads the whole table, and stops at a thousand. */
  blocked(now: EpochSeconds): Promise<readonly BlockedSubject[]>;
}

export interface BlockedSubject {
  readonly subject: string;
  readonly until: EpochSeconds;
}

export type PublicVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly retryAfterSeconds: number;
      /** Set for the one request that caused a block, so that it is reported once. */
      readonly blockedNow: boolean;
    };

/** The guarded client towards target APIs. */
export interface TargetApi {
  /**
   * @throws NoAnswer if there is no HTTP answer at all
   */
  send(deploymentId: string, request: TargetRequest): Promise<TargetAnswer>;
}

/** The same guard, for documents that the service itself fetches (`openapi_url`, JWKS, client metadata). */
export interface Web {
  /** GET, following redirects through the guard. @throws NoAnswer */
  fetch(url: string, limits: { maxBytes: number; timeoutSeconds: number }): Promise<TargetAnswer>;
  /** GET of this very address: a redirect is the answer. @throws NoAnswer */
  fetchExactly(
    url: string,
    limits: { maxBytes: number; timeoutSeconds: number },
  ): Promise<TargetAnswer>;
}

/** One line of JSON per record. Never given a secret, an argument's value, a body or a query string. */
export interface Log {
  write(record: Readonly<Record<string, unknown>>): void;
}

/** Things worth remembering. Never carries a secret, an argument's value or a body. */
export interface Events {
  record(event: ServiceEvent): void;
  /** Resolves when everything recorded so far is stored. Called once per request, before the answer. */
  flush(): Promise<void>;
}

export type ServiceEvent =
  | {
      readonly type: 'tool_invocation';
      readonly deploymentId: string;
      readonly slug: string;
      readonly tool: string;
      readonly outcome: 'ok' | 'target_error' | 'no_answer';
      readonly status?: number;
      readonly reason?: NoAnswerReason;
      readonly durationMs: number;
    }
  | {
      /** A user has used 80 percent of a window of the plan. */
      readonly type: 'quota_warning';
      readonly deploymentId: string;
      readonly slug: string;
      readonly subject: string;
      readonly plan: Plan;
      readonly window: 'hour' | 'month';
      readonly limit: number;
    }
  | {
      /** A credential was asked for, with success or without. Source: management-api.md, "Credentials". */
      readonly type: 'credential_access';
      readonly deploymentId: string;
      readonly version: string;
      readonly user: string;
      readonly ip: string;
      readonly userAgent?: string | undefined;
      readonly requestId: string;
      /** The instance of the router. */
      readonly instance: string;
      readonly outcome: 'ok' | CredentialFailure;
      readonly why?: string;
      readonly durationMs: number;
    }
  | {
      readonly type: 'security';
      readonly event:
        | 'ip_blocked'
        | 'blocked_target_address'
        | 'authentication_failed'
        | 'login_failed'
        | 'account_locked'
        | 'password_reset'
        | 'access_granted'
        | 'access_denied'
        | 'client_authentication_failed'
        | 'code_replayed'
        | 'refresh_token_reused'
        | 'grant_revoked'
        | 'ip_unblocked';
      /** Of the deployment on whose time line it belongs; absent if it belongs on none. */
      readonly deploymentId?: string;
      readonly slug?: string;
      readonly subject: string;
      readonly why: string;
    };
