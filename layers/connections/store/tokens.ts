import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { TOKEN_FAILURES } from '../../platform/rules/metrics/metrics.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import { tokenKey } from '../../platform/dynamodb/keys.ts';
import { assigning, itemsOf } from '../../platform/dynamodb/items.ts';
import type { Random } from '../../platform/system/random.ts';
import { CredentialUnavailable } from '../../credentials/rules/credential-access.ts';
import type { DataKeys } from '../../credentials/store/envelopes.ts';
import { parseSent, sentText } from '../../credentials/store/credential-schema.ts';
import { type Sealed, sealText, unsealText } from '../../credentials/store/sealing.ts';
import type { SentCredential } from '../../target/rules/credential.ts';
import type { SecretPlace } from '../rules/token-source.ts';

export interface TokenPlace {
  readonly deploymentId: string;
  readonly name: string;
  readonly subject?: string | undefined;
}

const bytes = z.instanceof(Uint8Array);
const optional = z.exactOptional;

const Item = z.object({
  /** Number of tokens stored so far, which the next write is conditional on. Absent before the first. */
  generation: optional(z.int()),
  /** Version of the credential that the token was issued for; setting another credential makes the token unusable. */
  credentialVersion: optional(z.string()),
  givenAt: optional(z.int()),
  expiresAt: optional(z.int()),
  scopes: optional(z.array(z.string())),
  clientAuth: optional(z.enum(['basic', 'post'])),
  sealed: optional(bytes),
  nonce: optional(bytes),
  key: optional(bytes),
  /** Instance that requests the next token, and until when the others wait. */
  leaseHolder: optional(z.string()),
  leaseUntil: optional(z.int()),
  /** Last failure: when, why, and for which version of the credential. */
  failedAt: optional(z.int()),
  failure: optional(z.enum(TOKEN_FAILURES)),
  failureCode: optional(z.string()),
  failedVersion: optional(z.string()),
});
export type TokenItem = z.output<typeof Item>;

export interface StoredToken {
  readonly sent: SentCredential;
  readonly credentialVersion: string;
  readonly givenAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly scopes?: readonly string[] | undefined;
  readonly clientAuth?: SecretPlace | undefined;
}

export interface Lease {
  readonly holder: string;
  readonly generation: number;
  readonly now: EpochSeconds;
  readonly until: EpochSeconds;
}

/** DynamoDB takes 400 KB, but no header takes a hundredth of that. */
const MOST_SEALED_BYTES = 32_768;

/** Moment at which DynamoDB may delete the item: after the token's end, since no token lives longer than a day. */
const deleteAfter = (from: EpochSeconds): EpochSeconds => from + 2 * DAY;

const RELEASED = { leaseHolder: undefined, leaseUntil: undefined };
const NOTHING_ASKED = {
  ...RELEASED,
  failedAt: undefined,
  failure: undefined,
  failureCode: undefined,
  failedVersion: undefined,
};

const leasedBy = (holder: string) => ({
  ConditionExpression: 'leaseHolder = :holder',
  ExpressionAttributeValues: { ':holder': holder },
});

/**
 * Tokens that issuers gave for credentials, each encrypted with AES-256-GCM under a data key of its own, bound to
 * deployment, credential and caller. A lease makes sure that one of all instances requests the next.
 */
export const dynamoTokens = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  keys: DataKeys,
  random: Pick<Random, 'secret'>,
) => {
  const items = itemsOf(dynamo, TableName, tokenKey, Item);

  return {
    /** Finds an item without decrypting its token. @throws Fault */
    find: (place: TokenPlace): Promise<TokenItem | undefined> => items.find(place),

    /** @returns undefined where the item holds no token @throws CredentialUnavailable denied @throws Fault */
    open: async (place: TokenPlace, item: TokenItem): Promise<StoredToken | undefined> => {
      const { credentialVersion, givenAt, expiresAt, scopes, clientAuth, key, nonce, sealed } =
        item;
      if (credentialVersion === undefined || givenAt === undefined) return undefined;
      if (expiresAt === undefined || !key || !nonce || !sealed) return undefined;
      const terms = { credentialVersion, givenAt, expiresAt };
      const plain = await keys.unwrap(key, contextOf(place));
      const text = unsealText(plain, { nonce, sealed }, boundTo(place, terms));
      const sent = text === undefined ? undefined : parseSent(text);
      if (!sent) throw new CredentialUnavailable('denied', 'the token does not open');
      return { ...terms, ...(scopes && { scopes }), ...(clientAuth && { clientAuth }), sent };
    },

    /** @returns false if another instance asks, or has stored a token since the item was read. @throws Fault */
    lease: async (
      place: TokenPlace,
      { holder, generation, now, until }: Lease,
    ): Promise<boolean> => {
      const lease = { leaseHolder: holder, leaseUntil: until, deleteAfter: deleteAfter(now) };
      const leased = await items.update(
        place,
        assigning(lease, {
          // The lease may be ours already: the SDK repeats a write whose answer was lost.
          ConditionExpression:
            '(attribute_not_exists(leaseUntil) OR leaseUntil <= :now OR leaseHolder = :leaseHolder) AND ' +
            '(attribute_not_exists(generation) OR generation = :generation)',
          ExpressionAttributeValues: { ':now': now, ':generation': generation },
        }),
      );
      return leased !== undefined;
    },

    /** Data key for the next token. Made before that is requested, so that no token is issued that cannot be stored. */
    newKey: (place: TokenPlace) => keys.generate(contextOf(place)),

    /**
     * Stores a token and ends the lease.
     *
     * @returns `lost` if another instance holds the lease by now, `too_large` for more than an item takes
     * @throws Fault
     */
    put: async (
      place: TokenPlace,
      { holder, generation }: Pick<Lease, 'holder' | 'generation'>,
      { key, wrapped }: Awaited<ReturnType<DataKeys['generate']>>,
      { sent, ...terms }: StoredToken,
    ): Promise<'stored' | 'lost' | 'too_large'> => {
      const { nonce, sealed }: Sealed = sealText(
        key,
        sentText(sent),
        boundTo(place, terms),
        random,
      );
      if (sealed.length > MOST_SEALED_BYTES) return 'too_large';
      const given = {
        ...NOTHING_ASKED,
        generation: generation + 1,
        credentialVersion: terms.credentialVersion,
        givenAt: terms.givenAt,
        expiresAt: terms.expiresAt,
        scopes: terms.scopes,
        clientAuth: terms.clientAuth,
        sealed,
        nonce,
        key: wrapped,
        deleteAfter: deleteAfter(terms.givenAt),
      };
      const done = await items.update(place, assigning(given, leasedBy(holder)));
      return done ? 'stored' : 'lost';
    },

    /** Records a failure and ends the lease, unless another instance holds it by now. @throws Fault */
    fail: async (
      place: TokenPlace,
      { holder }: Pick<Lease, 'holder'>,
      { at, version, reason, code }: FailedRequest,
    ): Promise<void> => {
      const failed = {
        ...RELEASED,
        failedAt: at,
        failure: reason,
        failureCode: code,
        failedVersion: version,
        deleteAfter: deleteAfter(at),
      };
      await items.update(place, assigning(failed, leasedBy(holder)));
    },

    /** Ends the lease of a request that asked no issuer. @throws Fault */
    release: async (place: TokenPlace, { holder }: Pick<Lease, 'holder'>): Promise<void> => {
      await items.update(place, assigning(RELEASED, leasedBy(holder)));
    },
  };
};

export type Tokens = ReturnType<typeof dynamoTokens>;

/** A failed request for a token. */
interface FailedRequest {
  readonly at: EpochSeconds;
  readonly version: string;
  readonly reason: (typeof TOKEN_FAILURES)[number];
  readonly code: string | undefined;
}

/** Encryption context. The key policy demands exactly these names. */
const contextOf = ({ deploymentId, name, subject }: TokenPlace) => ({
  deployment_id: deploymentId,
  credential: name,
  ...(subject !== undefined && { subject }),
  use: 'connection',
});

const boundTo = (
  { deploymentId, name, subject = '' }: TokenPlace,
  { credentialVersion, givenAt, expiresAt }: Omit<StoredToken, 'sent'>,
): Buffer =>
  Buffer.from(JSON.stringify([deploymentId, name, subject, credentialVersion, givenAt, expiresAt]));
