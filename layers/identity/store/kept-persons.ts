import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { DataKeys } from '../../credentials/store/envelopes.ts';
import { CredentialUnavailable } from '../../credentials/rules/credential-access.ts';
import { sealText, unsealText } from '../../credentials/store/sealing.ts';
import { assigning, itemsOf } from '../../platform/dynamodb/items.ts';
import { personKey } from '../../platform/dynamodb/keys.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';
import { CHECK_ANSWERS, type CheckAnswer } from '../rules/redeemed.ts';

/** Person, and the only token endpoint that the refresh token may be sent to. */
export interface PersonPlace {
  readonly provider: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly tokenEndpoint: string;
  readonly subject: Fingerprint;
}

const bytes = z.instanceof(Uint8Array);
const optional = z.exactOptional;

const Item = z.object({
  /** Incremented by sign-ins and by answers of the provider. */
  generation: z.int(),
  sealed: bytes,
  nonce: bytes,
  key: bytes,
  /** Caller that is asking the provider, and until when others wait for it. */
  leaseHolder: optional(z.string()),
  leaseUntil: optional(z.int()),
  /** Last answer since the latest sign-in, and its time. */
  answeredAt: optional(z.int()),
  answer: optional(z.enum(CHECK_ANSWERS)),
  why: optional(z.string()),
});
export type PersonItem = z.output<typeof Item>;

const Kept = z.object({ refreshToken: z.string(), sub: z.string() });
export type KeptPerson = z.output<typeof Kept>;

export interface CheckLease {
  readonly holder: string;
  readonly generation: number;
}

/** People who are no longer asked about are deleted after this time. */
const KEPT_SECONDS = 30 * DAY;

/**
 * Refresh tokens from identity providers, each encrypted with AES-256-GCM under its own data key. Issuer, client and
 * token endpoint are authenticated data: a list with another endpoint cannot decrypt them. A lease ensures that only
 * one instance uses a token at a time: some providers revoke everything if a refresh token is used twice.
 */
export const dynamoKeptPersons = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  keys: DataKeys,
  random: Pick<Random, 'secret'>,
) => {
  const items = itemsOf(dynamo, TableName, personKey, Item);

  const sealedKept = (place: PersonPlace, { key, wrapped }: PersonKey, kept: KeptPerson) => ({
    ...sealText(key, JSON.stringify(kept), boundTo(place), random),
    key: wrapped,
  });

  return {
    /** The item, still encrypted. @throws Fault */
    find: (subject: Fingerprint): Promise<PersonItem | undefined> => items.find(subject),

    /** @returns undefined for an item of another client or endpoint. @throws Fault */
    open: async (place: PersonPlace, item: PersonItem): Promise<KeptPerson | undefined> => {
      const key = await keys.unwrap(item.key, contextOf(place)).catch((error: unknown) => {
        // The key is of another person or provider. Other errors of KMS say nothing about the item.
        if (
          error instanceof CredentialUnavailable &&
          error.why.endsWith('InvalidCiphertextException')
        ) {
          return undefined;
        }
        throw error;
      });
      const text = key && unsealText(key, item, boundTo(place));
      return text === undefined ? undefined : z.safeParse(Kept, jsonOrUndefined(text)).data;
    },

    /** Data key for the next token, made first, so that no token is issued that cannot be stored. */
    newKey: (place: PersonPlace): Promise<PersonKey> => keys.generate(contextOf(place)),

    /** Stores the token from a sign-in, regardless of any lease. @throws Fault */
    signedIn: async (
      place: PersonPlace,
      key: PersonKey,
      kept: KeptPerson,
      now: EpochSeconds,
    ): Promise<void> => {
      const change = { ...sealedKept(place, key, kept), ...signedInAt(now) };
      await items.update(place.subject, counted(assigning(change)));
    },

    /** Records a sign-in without a new token. @returns false if none is stored or it was refused. @throws Fault */
    signedInAgain: async (subject: Fingerprint, now: EpochSeconds): Promise<boolean> => {
      const change = assigning(signedInAt(now), {
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(answer) OR answer <> :ended)',
        ExpressionAttributeValues: { ':ended': 'ended' },
      });
      const updated = await items.update(subject, counted(change));
      return updated !== undefined;
    },

    /** @returns false if another caller holds the lease, or the person has signed in since the read. @throws Fault */
    lease: async (
      subject: Fingerprint,
      { holder, generation }: CheckLease,
      { now, until }: { readonly now: EpochSeconds; readonly until: EpochSeconds },
    ): Promise<boolean> => {
      const lease = { leaseHolder: holder, leaseUntil: until };
      const leased = await items.update(
        subject,
        assigning(lease, {
          // The condition accepts its own holder, since the SDK retries a write whose answer was lost.
          ConditionExpression:
            '(attribute_not_exists(leaseUntil) OR leaseUntil <= :now OR leaseHolder = :leaseHolder) AND ' +
            'generation = :generation',
          ExpressionAttributeValues: { ':now': now, ':generation': generation },
        }),
      );
      return leased !== undefined;
    },

    /**
     * Stores the provider's answer and the replacing token, and ends the lease.
     * @returns false if the person has signed in meanwhile, or another caller holds the lease. @throws Fault
     */
    answered: async (
      place: PersonPlace,
      { holder, generation }: CheckLease,
      { as, why }: CheckAnswer,
      now: EpochSeconds,
      next?: { readonly key: PersonKey; readonly kept: KeptPerson },
    ): Promise<boolean> => {
      const answered = {
        generation: generation + 1,
        answer: as,
        why,
        answeredAt: now,
        deleteAfter: now + KEPT_SECONDS,
        ...RELEASED,
        ...(next && sealedKept(place, next.key, next.kept)),
      };
      const updated = await items.update(
        place.subject,
        assigning(answered, {
          ConditionExpression: 'leaseHolder = :holder AND generation = :known',
          ExpressionAttributeValues: { ':holder': holder, ':known': generation },
        }),
      );
      return updated !== undefined;
    },
  };
};

export type KeptPersons = ReturnType<typeof dynamoKeptPersons>;

export type PersonKey = Awaited<ReturnType<DataKeys['generate']>>;

const RELEASED = { leaseHolder: undefined, leaseUntil: undefined };

/** Discards earlier answers: a sign-in proves more. */
const signedInAt = (now: EpochSeconds) => ({
  ...RELEASED,
  answeredAt: undefined,
  answer: undefined,
  why: undefined,
  deleteAfter: now + KEPT_SECONDS,
});

const counted = (change: ReturnType<typeof assigning>) => ({
  ...change,
  UpdateExpression: `${change.UpdateExpression} ADD generation :one`,
  ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':one': 1 },
});

/** The key policy requires exactly these names. */
const contextOf = ({ provider, subject }: PersonPlace) => ({ provider, subject, use: 'sign-in' });

const boundTo = ({ provider, issuer, clientId, tokenEndpoint, subject }: PersonPlace): Buffer =>
  Buffer.from(JSON.stringify([provider, issuer, clientId, tokenEndpoint, subject]));
