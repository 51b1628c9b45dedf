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
  signOutKey,
  USER_KIND,
  userKey,
} from '../../platform/dynamodb/keys.ts';
import { transact } from '../../platform/dynamodb/transact.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';

/** Whose an e-mail is, or an identity. */
const OwnerItem = z.object({ userId: z.string().check(z.minLength(1)) });

export interface UserTables {
  readonly users: string;
  /** The router reads there who was signed out, and no users. */
  readonly oauth: string;
}

/** Users, and an item for the e-mail of each, so that no two have the same: they come and go together. */
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
  /** Remembered as long as anything that it ends could live. */
  const signingOut = ({ id, signedOutAt, sessionsEndedAt }: User): Write => {
    const { session_seconds } = limits;
    const longest = Math.max(longestAccessToken(limits), session_seconds, MINTED_MAX_SECONDS);
    const ends = { signedOutAt, ...(sessionsEndedAt !== undefined && { sessionsEndedAt }) };
    const expiresAt = Math.max(signedOutAt, sessionsEndedAt ?? 0) + longest;
    return {
      Put: { TableName: oauth, Item: { ...signOutKey(id), ...expiring({ ...ends, expiresAt }) } },
    };
  };

  const emailTaken = ({ id, email }: User): Write => ({
    Put: { TableName, Item: { ...emailKey(email), userId: id }, ...ABSENT },
  });
  /** One that nobody has, or whose account is gone. */
  const identityTaken = async (subject: Fingerprint, userId: string): Promise<Write> => {
    const Item = { ...identityKey(subject), userId };
    const owner = await identities.find(subject);
    const isLeft = owner !== undefined && !(await users.find(owner.userId));
    return { Put: { TableName, Item, ...(isLeft ? ownedBy(owner.userId) : ABSENT) } };
  };

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

    /** By what stands for a subject of an identity provider. */
    findByIdentity: async (subject: Fingerprint): Promise<User | undefined> => {
      const found = await identities.find(subject);
      return found && users.find(found.userId);
    },

    /**
     * The same as `replace` for a change that adds an identity: `findByIdentity` finds the user from then on.
     *
     * @returns false also if it is somebody else's
     */
    link: async (user: User, subject: Fingerprint): Promise<boolean> =>
      committed({
        user: replacing(user),
        identity: await identityTaken(subject, user.id),
      }),

    /** The same as `replace` for a change that takes identities away: nobody is found by them from then on. */
    unlink: (user: User, subjects: readonly Fingerprint[]): Promise<boolean> =>
      committed({
        user: replacing(user),
        ...identitiesGone(user.id, subjects),
      }),

    /**
     * @returns false if the e-mail or the subject is somebody else's, or what should be spent was spent before
     */
    create: async (user: User, { spent, subject }: MadeTogether = {}): Promise<boolean> => {
      const isMade = await committed({
        user: { Put: { TableName, Item: userItem(user), ...ABSENT } },
        email: emailTaken(user),
        ...(spent && { spent }),
        ...(subject !== undefined && { identity: await identityTaken(subject, user.id) }),
      });
      return isMade || isDeepStrictEqual(await users.find(user.id), user);
    },

    /**
     * The same as `replace` for a change of the e-mail: the former one is nobody's from then on.
     *
     * @returns false also if the new one is somebody else's
     */
    move: (user: User, former: string): Promise<boolean> =>
      committed({
        user: replacing(user),
        email: emailTaken(user),
        former: { Delete: { TableName, Key: emailKey(former), ...ownedBy(user.id) } },
      }),

    /** Writes if the stored one still has `revision - 1`. @returns false otherwise */
    replace: (user: User): Promise<boolean> => committed({ user: replacing(user) }),

    /** The same for a change that ends the user's sessions and nothing else: `SignOuts` tells of it from then on. */
    endSessions: (user: User): Promise<boolean> =>
      committed({ user: replacing(user), out: signingOut(user) }),

    /**
     * The same for a change that signs the user out everywhere: `SignOuts` tells of it from then on.
     *
     * @param spent - what is spent for it, in the same transaction
     * @returns false also if that was spent before
     */
    signOut: (user: User, spent?: Write): Promise<boolean> =>
      committed({
        user: replacing(user),
        out: signingOut(user),
        ...(spent && { spent }),
      }),

    /** Also if there is none. */
    remove: async ({ id, email, identities: known = [] }: User): Promise<void> => {
      await committed({
        user: { Delete: { TableName, Key: userKey(id) } },
        email: {
          Delete: {
            TableName,
            Key: emailKey(email),
            // Not once the user is gone and the e-mail is somebody else's.
            ...ownedBy(id),
          },
        },
        ...identitiesGone(
          id,
          known.map(({ subject }) => subject),
        ),
      });
    },
  };
};

/** With what puts it into the index of users. */
const userItem = (user: User) => ({ ...userKey(user.id), ...user, kind: USER_KIND });

const ownedBy = (userId: string) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR userId = :user',
  ExpressionAttributeValues: { ':user': userId },
});

/** What comes true in the same transaction as an account. */
interface MadeTogether {
  /** Is spent for it. */
  readonly spent?: Write;
  /** Of an identity that the account is known by: `findByIdentity` finds it. */
  readonly subject?: Fingerprint;
}

export type Users = ReturnType<typeof dynamoUsers>;
