import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { LimitValues } from '../../limits/rules/limits.ts';
import { User } from '../rules/user.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import { MINTED_MAX_SECONDS } from '../../tokens/rules/own-jwts.ts';
import { longestAccessToken } from '../../tokens/rules/token-life.ts';
import { ABSENT, expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import {
  emailKey,
  identityKey,
  type PartitionKey,
  signOutKey,
  USER_KIND,
  userKey,
} from '../../platform/dynamodb/keys.ts';
import { transact } from '../../platform/dynamodb/transact.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';

const OwnerItem = z.object({ userId: z.string().check(z.minLength(1)) });

export interface UserTables {
  readonly users: string;
  /** Holds sign-outs for the router, which cannot read users. */
  readonly oauth: string;
}

/** Users, each with one item for its e-mail in the same transaction, which makes e-mails unique. */
export const dynamoUsers = (
  dynamo: DynamoDBDocumentClient,
  { users: TableName, oauth }: UserTables,
  limits: Pick<LimitValues, 'access_token_seconds' | 'session_seconds'>,
) => {
  const users = itemsOf(dynamo, TableName, userKey, User);
  const emails = itemsOf(dynamo, TableName, emailKey, OwnerItem);
  const identities = itemsOf(dynamo, TableName, identityKey, OwnerItem);

  const replacing = (user: User): Write => ({
    Put: {
      TableName,
      Item: userItem(user),
      ConditionExpression: 'revision = :previous',
      ExpressionAttributeValues: { ':previous': user.revision - 1 },
    },
  });
  /** Sign-outs are stored as long as anything that they end could still be valid. */
  const signingOut = ({ id, signedOutAt, sessionsEndedAt }: User): Write => {
    const { session_seconds } = limits;
    const longest = Math.max(longestAccessToken(limits), session_seconds, MINTED_MAX_SECONDS);
    const ends = { signedOutAt, ...(sessionsEndedAt !== undefined && { sessionsEndedAt }) };
    const expiresAt = Math.max(signedOutAt, sessionsEndedAt ?? 0) + longest;
    return {
      Put: { TableName: oauth, Item: { ...signOutKey(id), ...expiring({ ...ends, expiresAt }) } },
    };
  };

  /** Takes an address or identity that is free, or whose account no longer exists. */
  const taken = async (
    key: PartitionKey,
    owner: z.output<typeof OwnerItem> | undefined,
    userId: string,
  ): Promise<Write> => {
    const isLeft = owner !== undefined && !(await users.find(owner.userId));
    const Item = { ...key, userId };
    return { Put: { TableName, Item, ...(isLeft ? ownedBy(owner.userId) : ABSENT) } };
  };
  const emailTaken = async ({ id, email }: User): Promise<Write> =>
    taken(emailKey(email), await emails.find(email), id);
  const identityTaken = async (subject: Fingerprint, userId: string): Promise<Write> =>
    taken(identityKey(subject), await identities.find(subject), userId);

  const identitiesGone = (userId: string, subjects: readonly Fingerprint[]) =>
    Object.fromEntries(
      subjects.map((subject): [string, Write] => [
        subject,
        { Delete: { TableName, Key: identityKey(subject), ...ownedBy(userId) } },
      ]),
    );

  const committed = async (writes: Readonly<Record<string, Write>>): Promise<boolean> =>
    (await transact(dynamo, writes)).size === 0;

  return {
    find: users.find,

    findByEmail: async (email: string): Promise<User | undefined> => {
      const found = await emails.find(email);
      return found && users.find(found.userId);
    },

    findByIdentity: async (subject: Fingerprint): Promise<User | undefined> => {
      const found = await identities.find(subject);
      return found && users.find(found.userId);
    },

    /** Like `replace`, for a new identity, by which `findByIdentity` then works. @returns false also if it is taken */
    link: async (user: User, subject: Fingerprint): Promise<boolean> =>
      committed({
        user: replacing(user),
        identity: await identityTaken(subject, user.id),
      }),

    /** Like `replace`, for a change that removes identities: `findByIdentity` no longer finds the user by them. */
    unlink: (user: User, subjects: readonly Fingerprint[]): Promise<boolean> =>
      committed({
        user: replacing(user),
        ...identitiesGone(user.id, subjects),
      }),

    /** @returns false if e-mail or identity belong to another user, or `spent` was spent before */
    create: async (user: User, { spent, subject }: MadeTogether = {}): Promise<boolean> => {
      const isMade = await committed({
        user: { Put: { TableName, Item: userItem(user), ...ABSENT } },
        email: await emailTaken(user),
        ...(spent && { spent }),
        ...(subject !== undefined && { identity: await identityTaken(subject, user.id) }),
      });
      return isMade || isDeepStrictEqual(await users.find(user.id), user);
    },

    /** Like `replace`, for a new e-mail; the old one becomes free. @returns false also if the new one is taken */
    move: async (user: User, former: string): Promise<boolean> =>
      committed({
        user: replacing(user),
        email: await emailTaken(user),
        former: { Delete: { TableName, Key: emailKey(former), ...ownedBy(user.id) } },
      }),

    /** Writes if the stored revision is one less. @returns false otherwise */
    replace: (user: User): Promise<boolean> => committed({ user: replacing(user) }),

    /** Like `replace`, for a change that only ends sessions; `SignOuts` learns of it in the same transaction. */
    endSessions: (user: User): Promise<boolean> =>
      committed({ user: replacing(user), out: signingOut(user) }),

    /**
     * Like `replace`, for a change that signs the user out everywhere; `SignOuts` learns of it in the same transaction.
     * @param spent - write that spends a one-time link, in the same transaction
     * @returns false also if the link was spent before
     */
    signOut: (user: User, spent?: Write): Promise<boolean> =>
      committed({
        user: replacing(user),
        out: signingOut(user),
        ...(spent && { spent }),
      }),

    /**
     * Removes a user with address and identities. Repeatable.
     * @returns false if the user was changed since it was read: address and identities may be others now
     */
    remove: ({ id, email, identities: known = [], revision }: User): Promise<boolean> =>
      committed({
        user: {
          Delete: {
            TableName,
            Key: userKey(id),
            ConditionExpression: 'attribute_not_exists(pk) OR revision = :revision',
            ExpressionAttributeValues: { ':revision': revision },
          },
        },
        email: {
          Delete: {
            TableName,
            Key: emailKey(email),
            // After a crash and a retry the address may already belong to somebody else.
            ...ownedBy(id),
          },
        },
        ...identitiesGone(
          id,
          known.map(({ subject }) => subject),
        ),
      }),
  };
};

/** Adds the key of the users' index. */
const userItem = (user: User) => ({ ...userKey(user.id), ...user, kind: USER_KIND });

const ownedBy = (userId: string) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR userId = :user',
  ExpressionAttributeValues: { ':user': userId },
});

interface MadeTogether {
  readonly spent?: Write;
  /** Identity by which `findByIdentity` then finds the account. */
  readonly subject?: Fingerprint;
}

export type Users = ReturnType<typeof dynamoUsers>;
