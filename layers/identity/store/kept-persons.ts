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

/** Whom a refresh token is of, and where alone it is sent to. */
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
  /** Counts sign-ins, and the tokens that came at checks. */
  generation: z.int(),
  sealed: bytes,
  nonce: bytes,
  key: bytes,
  /** Who asks the provider, and how long others leave that alone. */
  leaseHolder: optional(z.string()),
  leaseUntil: optional(z.int()),
  /** What it said last since they signed in, and when. */
  answeredAt: optional(z.int()),
  answer: optional(z.enum(CHECK_ANSWERS)),
  why: optional(z.string()),
});
export type PersonItem = z.output<typeof Item>;

/** What is kept of a person at a provider. */
const Kept = z.object({ refreshToken: z.string(), sub: z.string() });
export type KeptPerson = z.output<typeof Kept>;

export interface CheckLease {
  readonly holder: string;
  readonly generation: number;
}

/** Who is asked about no more is forgotten. */
const KEPT_SECONDS = 30 * DAY;

/**
 * Refresh tokens of people at their companies' providers, each encrypted with AES-256-GCM under a data key of its own.
 * Issuer, client and token endpoint are authenticated with it: a list that leads elsewhere opens none. Whoever asks a
 * provider takes a lease, so that of all instances one asks: some providers end everything where a token comes twice.
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
    /** Sealed as it is. @throws Fault */
    find: (subject: Fingerprint): Promise<PersonItem | undefined> => items.find(subject),

    /** @returns undefined for what is of another client or for another place. @throws Fault */
    open: async (place: PersonPlace, item: PersonItem): Promise<KeptPerson | undefined> => {
      const key = await keys.unwrap(item.key, contextOf(place)).catch((error: unknown) => {
        // Of another person or provider. A key that cannot be used says nothing of anybody.
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

    /** A key for the token to come: made before that is asked for, so that none is given that cannot be stored. */
    newKey: (place: PersonPlace): Promise<PersonKey> => keys.generate(contextOf(place)),

    /** Keeps what a sign-in gave, whoever asks at that time. @throws Fault */
    signedIn: async (
      place: PersonPlace,
      key: PersonKey,
      kept: KeptPerson,
      now: EpochSeconds,
    ): Promise<void> => {
      const change = { ...sealedKept(place, key, kept), ...signedInAt(now) };
      await items.update(place.subject, counted(assigning(change)));
    },

    /**
     * The same for a sign-in that gave no token: the one before is kept.
     *
     * @returns false where there is none, or one that the provider has refused. @throws Fault
     */
    signedInAgain: async (subject: Fingerprint, now: EpochSeconds): Promise<boolean> => {
      const change = assigning(signedInAt(now), {
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(answer) OR answer <> :ended)',
        ExpressionAttributeValues: { ':ended': 'ended' },
      });
      const updated = await items.update(subject, counted(change));
      return updated !== undefined;
    },

    /** @returns false if somebody else asks, or they have signed in since it was read. @throws Fault */
    lease: async (
      subject: Fingerprint,
      { holder, generation }: CheckLease,
      { now, until }: { readonly now: EpochSeconds; readonly until: EpochSeconds },
    ): Promise<boolean> => {
      const lease = { leaseHolder: holder, leaseUntil: until };
      const leased = await items.update(
        subject,
        assigning(lease, {
          // Our own: the SDK repeats a write whose answer was lost.
          ConditionExpression:
            '(attribute_not_exists(leaseUntil) OR leaseUntil <= :now OR leaseHolder = :leaseHolder) AND ' +
            'generation = :generation',
          ExpressionAttributeValues: { ':now': now, ':generation': generation },
        }),
      );
      return leased !== undefined;
    },

    /**
     * Notes what the provider said, with the token that it gave in place of the one before, and ends the lease.
     *
     * @returns false where they have signed in meanwhile, or somebody else has the lease by now. @throws Fault
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

/** What was asked before says no more. */
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

/** The key policy asks for these names, and no others. */
const contextOf = ({ provider, subject }: PersonPlace) => ({ provider, subject, use: 'sign-in' });

const boundTo = ({ provider, issuer, clientId, tokenEndpoint, subject }: PersonPlace): Buffer =>
  Buffer.from(JSON.stringify([provider, issuer, clientId, tokenEndpoint, subject]));
