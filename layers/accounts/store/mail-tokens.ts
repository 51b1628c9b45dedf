import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { WantedMailToken } from '../rules/records.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { LINK_PURPOSES, type MailToken } from '../rules/user.ts';
import type { Random } from '../../platform/system/random.ts';
import { type MailTokenId, mailTokenKey } from '../../platform/dynamodb/keys.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { claimUpdate, expiring, type Fields, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.pipe(
  z.object({
    purpose: z.enum(LINK_PURPOSES),
    email: z.string().check(z.minLength(1)),
    secret: z.string(),
    expiresAt: z.int(),
    claimedBy: z.exactOptional(z.string()),
  } satisfies Fields<MailToken & { secret: string; claimedBy: string }>),
  z.transform(({ purpose, email, secret, expiresAt, claimedBy }) => ({
    secret,
    isClaimed: claimedBy !== undefined,
    record: { purpose, email, expiresAt },
  })),
);

/** One item per purpose and address, so that a new link invalidates the earlier one; spent ones are not found. */
export const dynamoMailTokens = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => {
  const items = itemsOf<typeof Item, MailTokenId>(dynamo, TableName, mailTokenKey, Item);

  return {
    /** Replaces the earlier token of this purpose and address. */
    put: async (secret: Fingerprint, record: MailToken): Promise<void> => {
      const { purpose, email } = record;
      await items.put({ purpose, address: fingerprint(email) }, expiring({ ...record, secret }));
    },

    /** Undefined for a token that was spent or replaced. */
    find: async ({ secret, ...id }: WantedMailToken): Promise<MailToken | undefined> => {
      const found = await items.find(id);
      return found?.secret === secret && !found.isClaimed ? found.record : undefined;
    },

    /** Reserves the token until a time limit, since the holder may crash. @returns false if held, spent or replaced */
    hold: async (
      { secret, ...id }: WantedMailToken,
      until: EpochSeconds,
      now: EpochSeconds,
    ): Promise<boolean> => {
      const held = await items.update(id, {
        UpdateExpression: 'SET heldBy = :holder, heldUntil = :until',
        // The condition accepts its own holder, so that a retry after a lost answer succeeds.
        ConditionExpression:
          'secret = :secret AND attribute_not_exists(claimedBy) AND (attribute_not_exists(heldUntil) OR heldUntil <= :now OR heldBy = :holder)',
        ExpressionAttributeValues: {
          ':holder': random.id(),
          ':until': until,
          ':secret': secret,
          ':now': now,
        },
      });
      return held !== undefined;
    },

    /** Write that spends the token, for a transaction; it succeeds for one caller only. */
    spending: ({ secret, ...id }: WantedMailToken): Write => {
      const { ConditionExpression, ExpressionAttributeValues, ...claim } = claimUpdate(random.id());
      return items.changing(id, {
        ...claim,
        ConditionExpression: `${ConditionExpression} AND secret = :secret`,
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':secret': secret },
      });
    },
  };
};

export type MailTokens = ReturnType<typeof dynamoMailTokens>;
