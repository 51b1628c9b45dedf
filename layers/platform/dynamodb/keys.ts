import { asciiLowerCase } from '../rules/text.ts';
import { dayOf, timeOf, type EpochSeconds } from '../rules/time.ts';
import { fingerprint } from '../rules/fingerprint.ts';

/** Keys of all kinds of items, by table; they are written nowhere else. A test compares them with docs/storage.md. */
export interface PartitionKey {
  readonly pk: string;
}

export interface ItemKey extends PartitionKey {
  readonly sk: string;
}

// Table `users`. E-mails are hashed, so that keys have a fixed length and error messages with keys contain no address.

export const userKey = (userId: string): PartitionKey => ({ pk: `USER#${userId}` });
export const operatorKey = (userId: string): PartitionKey => ({ pk: `OPERATOR#${userId}` });
/** The only partition of the users' index, whose sort key is the plain e-mail. */
export const USER_KIND = 'user';
export const emailKey = (email: string): PartitionKey => ({ pk: `EMAIL#${emailHash(email)}` });
/** @param subject - fingerprint of issuer, tenant and subject */
export const identityKey = (subject: string): PartitionKey => ({ pk: `IDENTITY#${subject}` });
export const mailTokenKey = ({ purpose, address }: MailTokenId): PartitionKey => ({
  pk: `MAIL#${purpose}#${address}`,
});

export interface MailTokenId {
  readonly purpose: string;
  /** Hash of the e-mail. */
  readonly address: string;
}

export const lockoutKey = (email: string): PartitionKey => ({ pk: `LOCK#${emailHash(email)}` });
export const knownDeviceKey = (device: string): PartitionKey => ({ pk: `DEVICE#${device}` });

export const undeliverableKey = (email: string): PartitionKey => ({
  pk: `UNDELIVERABLE#${emailHash(email)}`,
});

export const emailHash = (email: string): string => fingerprint(asciiLowerCase(email));

// Table `oauth`. Codes, tokens, tickets and sessions are stored by fingerprint.

export const clientKey = (clientId: string): PartitionKey => ({ pk: `CLIENT#${clientId}` });
/** @param assertion - fingerprint of client, or identity provider, and `jti` */
export const assertionKey = (assertion: string): PartitionKey => ({
  pk: `ASSERTION#${assertion}`,
});
export const authorizationRequestKey = (ticket: string): PartitionKey => ({
  pk: `AUTHREQ#${ticket}`,
});
export const codeKey = (code: string): PartitionKey => ({ pk: `CODE#${code}` });
export const grantKey = (grantId: string): PartitionKey => ({ pk: `GRANT#${grantId}` });
export const accessTokenKey = (token: string): PartitionKey => ({ pk: `AT#${token}` });
export const refreshTokenKey = (token: string): PartitionKey => ({ pk: `RT#${token}` });
export const mintedTokenKey = (jti: string): PartitionKey => ({ pk: `JTI#${jti}` });
export const consoleLinkKey = (link: string): PartitionKey => ({ pk: `CONSOLELINK#${link}` });
/** @param code - fingerprint of the one-time code */
export const commandLineCodeKey = (code: string): PartitionKey => ({ pk: `CLICODE#${code}` });
export const sessionKey = (id: string): PartitionKey => ({ pk: `SESSION#${id}` });
export const personalTokenKey = (token: string): PartitionKey => ({ pk: `PAT#${token}` });
export const trustKey = (id: string): PartitionKey => ({ pk: `TRUST#${id}` });
export const signingKeysKey = (): PartitionKey => ({ pk: 'SIGNINGKEYS' });
export const identityProvidersKey = (): PartitionKey => ({ pk: 'PROVIDERS' });
export const providerSecretKey = (provider: string): PartitionKey => ({
  pk: `PROVIDERSECRET#${provider}`,
});
/** @param state - fingerprint of the `state` parameter */
export const companySignInKey = (state: string): PartitionKey => ({ pk: `SIGNIN#${state}` });
export const notBeforeKey = (): PartitionKey => ({ pk: 'NOTBEFORE' });
export const signOutKey = (userId: string): PartitionKey => ({ pk: `SIGNEDOUT#${userId}` });

// Table `deployments`.

export const deploymentKey = (slug: string): PartitionKey => ({ pk: `SLUG#${slug}` });
export const ownerKey = (ownerId: string): PartitionKey => ({ pk: `OWNER#${ownerId}` });
export const reservedSlugKey = (slug: string): PartitionKey => ({ pk: `RESERVED#${slug}` });
export const removedDeploymentKey = (deploymentId: string): PartitionKey => ({
  pk: `REMOVED#${deploymentId}`,
});

/** @param email - address of the person invited */
export const invitationsKey = (email: string): PartitionKey => ({
  pk: `INVITED#${emailHash(email)}`,
});

export const sweepKey = (): PartitionKey => ({ pk: 'SWEEP' });

// Table `deployment-content`: one partition per deployment.

export const VERSION_PARTS = ['INDEX', 'SEARCH', 'SPEC', 'NOTES', 'REPORT'] as const;
export type VersionPart = (typeof VERSION_PARTS)[number];
export type NamedContentKind = 'RES' | 'PROMPT';

export const contentPartition = (deploymentId: string): PartitionKey => ({
  pk: `DEP#${deploymentId}`,
});

export const VERSIONS = 'V#';

export const versionKey = (deploymentId: string, version: number, part: VersionPart): ItemKey => ({
  ...contentPartition(deploymentId),
  sk: `${VERSIONS}${String(version).padStart(6, '0')}#${part}`,
});

export const namedContentKey = (
  deploymentId: string,
  kind: NamedContentKind,
  name: string,
): ItemKey => ({ ...contentPartition(deploymentId), sk: `${kind}#${name}` });

/** @param uri - URI of a resource, of any length */
export const resourceUriKey = (deploymentId: string, uri: string): ItemKey => ({
  ...contentPartition(deploymentId),
  sk: `URI#${fingerprint(uri)}`,
});

export const contentTotalsKey = (deploymentId: string, kind: NamedContentKind): ItemKey => ({
  ...contentPartition(deploymentId),
  sk: `TOTALS#${kind}`,
});

export const refreshKey = (deploymentId: string): ItemKey => ({
  ...contentPartition(deploymentId),
  sk: 'REFRESH',
});

export const casesKey = (deploymentId: string): ItemKey => ({
  ...contentPartition(deploymentId),
  sk: 'CASES',
});

export const caseRunsKey = (deploymentId: string): ItemKey => ({
  ...contentPartition(deploymentId),
  sk: 'CASERUNS',
});

// Table `limits`.

/** Characters; DynamoDB limits a key to 2,048 bytes. */
const MAX_SUBJECT = 256;
const HASH_CHARACTERS = 64;

export const counterKey = ({ limit, subject, start }: CounterWindow): PartitionKey => ({
  pk: `${limit}#${boundedSubject(subject)}#${start}`,
});

export interface CounterWindow {
  readonly limit: string;
  readonly subject: string;
  readonly start: EpochSeconds;
}

/** @param request - id of the mail request */
export const sentMailKey = (request: string): PartitionKey => ({ pk: `SENTMAIL#${request}` });

export const usageKey = (userId: string): PartitionKey => ({
  pk: `USAGE#${boundedSubject(userId)}`,
});

export const publicRequestsKey = (address: string): PartitionKey => ({
  pk: `public_requests_per_minute_per_ip#${address}`,
});

/** @param slot - from 0; a subject may hold several slots at once */
export const leaseKey = ({ limit, subject, slot }: LeaseSlot): PartitionKey => ({
  pk: `LEASE#${limit}#${boundedSubject(subject)}#${slot}`,
});

export interface LeaseSlot {
  readonly limit: string;
  readonly subject: string;
  readonly slot: number;
}

export const recordingKeysKey = (deploymentId: string): PartitionKey => ({
  pk: `RECORDING#${deploymentId}`,
});

/** @param request - its `key` is text from the client, of any length and content */
export const idempotencyKey = (request: {
  readonly userId: string;
  readonly key: string;
}): PartitionKey => ({ pk: `IDEMPOTENCY#${request.userId}#${fingerprint(request.key)}` });

/**
 * Bounds the length of subjects, some of which strangers choose. A shortened subject is longer than any unshortened
 * one, so that nobody can send the shortened form of another subject and use up its limit.
 */
const boundedSubject = (subject: string): string =>
  subject.length > MAX_SUBJECT
    ? `${subject.slice(0, MAX_SUBJECT - HASH_CHARACTERS)}#${fingerprint(subject)}`
    : subject;

// Table `security-events`.

/** @param id - distinguishes events of one second */
export const eventKey = (subject: string, at: EpochSeconds, id: string): ItemKey => ({
  pk: `SUBJECT#${subject}#${dayOf(at).replaceAll('-', '')}`,
  sk: `${timeOf(at)}#${id}`,
});

// Table `calls`. Sharded, since a partition takes a thousand writes per second.

/** @param place - position of the first call. @param name - identifies the batch of calls */
export const callsKey = (
  deploymentId: string,
  shard: number,
  place: string,
  name: string,
): ItemKey => ({ ...callPartition(deploymentId, shard), sk: `${place}#${name}` });

export const callPartition = (deploymentId: string, shard: number): PartitionKey => ({
  pk: `CALLS#${deploymentId}#${shard}`,
});

/** @param seenAt - a minute of the wall clock. @param mark - what was touched in it */
export const touchedKey = (seenAt: string, part: number, mark: string): ItemKey => ({
  ...touchedPartition(seenAt, part),
  sk: mark,
});

export const touchedPartition = (seenAt: string, part: number): PartitionKey => ({
  pk: `TOUCHED#${seenAt}#${part}`,
});

/** @param minute - `2026-11-20T11:59` */
export const callMinuteKey = (deploymentId: string, minute: string, shard: number): ItemKey => ({
  ...callMinutesPartition(deploymentId),
  sk: `${minute}#${shard}`,
});

export const callMinutesPartition = (deploymentId: string): PartitionKey => ({
  pk: `CALLMINUTES#${deploymentId}`,
});

/** @param hour - `2026-11-20T11` */
export const callHourKey = (deploymentId: string, hour: string): ItemKey => ({
  ...callHoursPartition(deploymentId),
  sk: hour,
});

export const callHoursPartition = (deploymentId: string): PartitionKey => ({
  pk: `CALLHOURS#${deploymentId}`,
});

/** Single item with the last minute whose calls have been counted completely. */
export const talliedKey = (): ItemKey => ({ pk: 'TALLIED', sk: 'done' });

/** Credentials refused by a target, in one partition, since they are few. */
export const credentialMarkKey = ({ deploymentId, version }: CredentialVersionId): ItemKey => ({
  ...CREDENTIAL_MARKS,
  sk: `${deploymentId}#${version}`,
});

export const CREDENTIAL_MARKS: PartitionKey = { pk: 'CREDENTIALREFUSED' };

export interface CredentialVersionId {
  readonly deploymentId: string;
  readonly version: string;
}

// Table `recorded-calls`.

/** @param place - position of the first call, unique within the deployment */
export const recordedCallsKey = (deploymentId: string, place: string): ItemKey => ({
  ...recordedCallPartition(deploymentId),
  sk: place,
});

export const recordedCallPartition = (deploymentId: string): PartitionKey => ({
  pk: `RECORDED#${deploymentId}`,
});

// Table `credentials`.

/** Unnamed credentials are called `main` and have the key from before credentials had names. */
export const credentialKey = ({ deploymentId, name, from }: CredentialId): PartitionKey => ({
  pk:
    from === 'connections'
      ? `CONNECTED#${deploymentId}#${name}`
      : `CREDENTIAL#${deploymentId}${name === 'main' ? '' : `#${name}`}`,
});

export interface CredentialId {
  readonly deploymentId: string;
  readonly name: string;
  readonly from: 'store' | 'connections';
}

// Table `connections`.

/** @param subject - fingerprint of issuer, tenant and subject */
export const personKey = (subject: string): PartitionKey => ({ pk: `PERSON#${subject}` });
export const tokenKey = ({ deploymentId, name, subject }: TokenId): PartitionKey => ({
  pk: `TOKEN#${deploymentId}#${name}${subject === undefined ? '' : `#${subject}`}`,
});

export interface TokenId {
  readonly deploymentId: string;
  readonly name: string;
  /** Fingerprint of the caller, for credentials of which each caller has their own token. */
  readonly subject?: string | undefined;
}
