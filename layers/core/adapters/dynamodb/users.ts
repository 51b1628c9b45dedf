import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { User } from '../../domain/accounts/user.ts';
import { Fault } from '../../domain/fault.ts';
import { DAY } from '../../domain/time.ts';
import type { Users } from '../../ports.ts';
import { emailKey } from './email-key.ts';
import { ABSENT, itemsOf } from './items.ts';
import { Pointer, userAttributes, UserItem } from './user-item.ts';

/** A try fails only if another registration of the same e-mail gets between its writes. */
const TRIES = 10;

/**
 * Users, and a pointer to each by its e-mail. The pointer is written first, and an e-mail is taken once
 * its pointer's user is there. A pointer without its user is what a crash left, or a registration under
 * way: the next one writes in the user's place, so that it cannot come any more, and removes the pointer.
 */
export const dynamoUsers = (dynamo: DynamoDBDocumentClient, TableName: string): Users => {
  const users = itemsOf(dynamo, TableName, 'USER', UserItem);
  const pointers = itemsOf(dynamo, TableName, 'EMAIL', Pointer);

  /** @returns false if the user is there */
  const abandon = (id: string, { createdAt }: User): Promise<boolean> =>
    users.put(
      id,
      { abandoned: true, expires_at: createdAt + DAY },
      { ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(abandoned)' },
    );

  return {
    find: users.find,

    findByEmail: async (email) => {
      const pointer = await pointers.find(emailKey(email));
      return pointer && users.find(pointer.user_id);
    },

    create: async (user) => {
      const key = emailKey(user.email);
      for (let tries = 0; tries < TRIES; tries += 1) {
        if (await pointers.put(key, { user_id: user.id }, ABSENT)) {
          return users.put(user.id, userAttributes(user), ABSENT);
        }
        const pointer = await pointers.find(key);
        if (!pointer) continue;
        if (!(await abandon(pointer.user_id, user))) return false;
        await pointers.remove(key, {
          ConditionExpression: 'user_id = :abandoned',
          ExpressionAttributeValues: { ':abandoned': pointer.user_id },
        });
      }
      throw new Fault('dynamodb', 'too many registrations of one e-mail at once');
    },

    replace: (user) =>
      users.put(user.id, userAttributes(user), {
        ConditionExpression: 'revision = :previous',
        ExpressionAttributeValues: { ':previous': user.revision - 1 },
      }),

    remove: async ({ id, email }) => {
      await users.remove(id);
      await pointers.remove(emailKey(email), {
        ConditionExpression: 'user_id = :removed',
        ExpressionAttributeValues: { ':removed': id },
      });
    },
  };
};
