import { asciiLowerCase } from '../rules/text.ts';
import { createHash } from 'node:crypto';
import { dayOf, timeOf, type EpochSeconds } from '../rules/time.ts';
import { fingerprint } from '../rules/fingerprint.ts';

/**
 * The keys of every kind of item, table by table; nothing else spells them.
 * Source: docs/storage.md, which a test holds to them.
 */
export interface PartitionKey {
  readonly pk: string;
}

export interface ItemKey extends PartitionKey {
  readonly sk: string;
}

// Table `users`. An e-mail is hashed: keys are of one length, and no address is in what reports one.

export const userKey = (userId: string): PartitionKey => ({ pk: `USER#${userId}` });
export const operatorKey = (userId: string): PartitionKey => ({ pk: `OPERATOR#${userId}` });
/** The one partition of the index of users, whose sort key is the e-mail as it is. */
export const USER_KIND = 'user';
export const emailKey = (email: string): PartitionKey => ({ pk: `EMAIL#${emailHash(email)}` });
/** @param subject - a fingerprint of issuer, tenant and subject */
export const identityKey = (subject: string): PartitionKey => ({ pk: `IDENTITY#${subject}` });
export const mailTokenKey = ({ purpose, address }: MailTokenId): PartitionKey => ({
  pk: `MAIL#${purpose}#${address}`,
});

export interface MailTokenId {
  readonly purpose: string;
  /** A hash of the e-mail. */
  readonly address: string;
}

export const lockoutKey = (email: string): PartitionKey => ({ pk: `LOCK#${emailHash(email)}` });
export const knownDeviceKey = (device: string): PartitionKey => ({ pk: `DEVICE#${device}` });

export const undeliverableKey = (email: string): PartitionKey => ({
  pk: `UNDELIVERABLE#${emailHash(email)}`,
});

export const emailHash = (email: string): string => fingerprint(asciiLowerCase(email));

// Table `oauth`. Codes, tokens, tickets and sessions by their fingerprints.

export const clientKey = (clientId: string): PartitionKey => ({ pk: `CLIENT#${clientId}` });
/** @param assertion - a fingerprint of client, or identity provider, and `jti` */
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
/** @param code - a fingerprint of what a browser takes to the command line */
export const commandLineCodeKey = (code: string): PartitionKey => ({ pk: `CLICODE#${code}` });
export const sessionKey = (id: string): PartitionKey => ({ pk: `SESSION#${id}` });
export const personalTokenKey = (token: string): PartitionKey => ({ pk: `PAT#${token}` });
export const trustKey = (id: string): PartitionKey => ({ pk: `TRUST#${id}` });
export const signingKeysKey = (): PartitionKey => ({ pk: 'SIGNINGKEYS' });
export const identityProvidersKey = (): PartitionKey => ({ pk: 'PROVIDERS' });
export const providerSecretKey = (provider: string): PartitionKey => ({
  pk: `PROVIDERSECRET#${provider}`,
});
/** @param state - a fingerprint of what went along to the provider */
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

/** @param email - of whom others have invited */
export const invitationsKey = (email: string): PartitionKey => ({
  pk: `INVITED#${emailHash(email)}`,
});

/** How far the sweep has come: one item. */
export const sweepKey = (): PartitionKey => ({ pk: 'SWEEP' });

// Table `deployment-content`: all that a deployment holds is in one partition.

export const VERSION_PARTS = ['INDEX', 'SEARCH', 'SPEC', 'NOTES', 'REPORT'] as const;
export type VersionPart = (typeof VERSION_PARTS)[number];
export type NamedContentKind = 'RES' | 'PROMPT';

export const contentPartition = (deploymentId: string): PartitionKey => ({
  pk: `DEP#${deploymentId}`,
});

/** What the sort keys of all versions begin with. */
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

/** @param uri - of a resource: of any length */
export const resourceUriKey = (deploymentId: string, uri: string): ItemKey => ({
  ...contentPartition(deploymentId),
  sk: `URI#${sha256(uri)}`,
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

/** Characters; a key may have 2,048 bytes. */
const MAX_SUBJECT = 256;
const HASH_CHARACTERS = 64;

export const counterKey = ({ limit, subject, start }: CounterWindow): PartitionKey => ({
  pk: `${limit}#${boundedSubject(subject)}#${start}`,
});

export interface CounterWindow {
  readonly limit: string;
  readonly subject: string;
  /** When the window began. */
  readonly start: EpochSeconds;
}

/** @param request - the id of the request for it */
export const sentMailKey = (request: string): PartitionKey => ({ pk: `SENTMAIL#${request}` });

export const usageKey = (userId: string): PartitionKey => ({
  pk: `USAGE#${boundedSubject(userId)}`,
});

export const publicRequestsKey = (address: string): PartitionKey => ({
  pk: `public_requests_per_minute_per_ip#${address}`,
});

/** @param slot - from 0: one of those that one subject may hold at once */
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

/** @param request - its `key` is the client's own text, of any length and content */
export const idempotencyKey = (request: {
  readonly userId: string;
  readonly key: string;
}): PartitionKey => ({ pk: `IDEMPOTENCY#${request.userId}#${sha256(request.key)}` });

/**
 * Some subjects are what a stranger sent, however long. What stands for a long one is longer than any that is kept as it
 * is, so that nobody can send what another one has become, and use up what that may.
 */
const boundedSubject = (subject: string): string =>
  subject.length > MAX_SUBJECT
    ? `${subject.slice(0, MAX_SUBJECT - HASH_CHARACTERS)}#${fingerprint(subject)}`
    : subject;

// Table `security-events`.

/** @param id - keeps events of one second apart */
export const eventKey = (subject: string, at: EpochSeconds, id: string): ItemKey => ({
  pk: `SUBJECT#${subject}#${dayOf(at).replaceAll('-', '')}`,
  sk: `${timeOf(at)}#${id}`,
});

// Table `calls`. Spread, since a partition takes a thousand writes a second.

/** @param place - of the first of the calls. @param name - of all of them */
export const callsKey = (
  deploymentId: string,
  shard: number,
  place: string,
  name: string,
): ItemKey => ({ ...callPartition(deploymentId, shard), sk: `${place}#${name}` });

export const callPartition = (deploymentId: string, shard: number): PartitionKey => ({
  pk: `CALLS#${deploymentId}#${shard}`,
});

/** @param seenAt - a minute by the clock. @param mark - what was touched in it */
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

/** The last minute by the clock whose calls are counted for good: one item. */
export const talliedKey = (): ItemKey => ({ pk: 'TALLIED', sk: 'done' });

/** Credentials that a target has refused: all of them in one partition, since they are few. */
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

/** @param place - of the first of the calls, unique in its deployment */
export const recordedCallsKey = (deploymentId: string, place: string): ItemKey => ({
  ...recordedCallPartition(deploymentId),
  sk: place,
});

export const recordedCallPartition = (deploymentId: string): PartitionKey => ({
  pk: `RECORDED#${deploymentId}`,
});

// Table `credentials`.

/** One that no name was given is called `main`, and stands where it stood before credentials had names. */
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

/** @param subject - a fingerprint of issuer, tenant and subject */
export const personKey = (subject: string): PartitionKey => ({ pk: `PERSON#${subject}` });
export const tokenKey = ({ deploymentId, name, subject }: TokenId): PartitionKey => ({
  pk: `TOKEN#${deploymentId}#${name}${subject === undefined ? '' : `#${subject}`}`,
});

export interface TokenId {
  readonly deploymentId: string;
  /** Of the credential. */
  readonly name: string;
  /** A fingerprint of the caller whose token it is, where each has one. */
  readonly subject?: string | undefined;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
