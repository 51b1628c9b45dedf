import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import { type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { isEmailBeginning } from '../rules/email.ts';
import { ListedUser } from '../rules/records.ts';
import { USER_KIND, userKey } from '../../platform/dynamodb/keys.ts';
import { parseItem, queryPage } from '../../platform/dynamodb/items.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';

/** Continuation token: e-mail and id of the page's last user, from which its key is rebuilt. */
const Position = z.tuple([
  z.string().check(z.minLength(1), z.refine(isEmailBeginning)),
  z.string().check(z.regex(/^[\w-]{1,128}$/)),
]);

/** Users by e-mail, from an index without secrets, for operators. Eventually consistent. */
export const dynamoUserList = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  /** Users ordered by address. @param beginning - prefix of the addresses, canonical; empty for all */
  page: async (beginning: string, { limit, after }: PageQuery): Promise<Page<ListedUser>> => {
    const ExclusiveStartKey = after === undefined ? undefined : startKey(beginning, after);
    // The continuation token is not from this list.
    if (after !== undefined && !ExclusiveStartKey) return { items: [] };
    const isWhole = beginning === '';
    // One more than requested, to know whether another page follows; one may also follow 1 MB.
    const { Items = [], LastEvaluatedKey } = await queryPage(dynamo, {
      TableName,
      IndexName: 'by-email',
      KeyConditionExpression: `kind = :kind${isWhole ? '' : ' AND begins_with(email, :beginning)'}`,
      ExpressionAttributeValues: {
        ':kind': USER_KIND,
        ...(!isWhole && { ':beginning': beginning }),
      },
      ExclusiveStartKey,
      Limit: limit + 1,
    });
    const items = Items.slice(0, limit).map((item) => parseItem(ListedUser, item, 'a listed user'));
    const last = Items.length > limit || LastEvaluatedKey ? items.at(-1) : undefined;
    return { items, ...(last && { next: JSON.stringify([last.email, last.id]) }) };
  },
});

export type UserList = ReturnType<typeof dynamoUserList>;

/** Undefined for a key outside the query, which DynamoDB would refuse. */
const startKey = (beginning: string, after: string) => {
  const { success, data } = z.safeParse(Position, jsonOrUndefined(after));
  if (!success || !data[0].startsWith(beginning)) return undefined;
  const [email, id] = data;
  return { ...userKey(id), kind: USER_KIND, email };
};
