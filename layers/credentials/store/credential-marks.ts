import type { ValueOf } from '../../platform/rules/shape.ts';
import { DAY } from '../../platform/rules/time.ts';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { CREDENTIAL_MARKS, credentialMarkKey } from '../../platform/dynamodb/keys.ts';
import { parseItem, queryItems, undefinedUnlessMet } from '../../platform/dynamodb/items.ts';

const MARKED_SECONDS = 7 * DAY;

const CredentialMark = z.object({
  deploymentId: z.string(),
  version: z.string(),
  /** Time of the first refusal. */
  since: z.int(),
});
export type CredentialMark = ValueOf<typeof CredentialMark>;

/** In the table of calls, since the writer of calls marks them. */
export const dynamoCredentialMarks = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  /** Does nothing if it is marked already. */
  put: async (mark: CredentialMark): Promise<void> => {
    const Item = { ...credentialMarkKey(mark), ...mark, deleteAfter: mark.since + MARKED_SECONDS };
    const ConditionExpression = 'attribute_not_exists(pk)';
    await dynamo
      .send(new PutCommand({ TableName, Item, ConditionExpression }))
      .catch(undefinedUnlessMet);
  },

  /** Marks of the last seven days, eventually consistent. */
  list: async (): Promise<readonly CredentialMark[]> => {
    const items = await queryItems(dynamo, {
      TableName,
      KeyConditionExpression: 'pk = :marks',
      ExpressionAttributeValues: { ':marks': CREDENTIAL_MARKS.pk },
    });
    return items.map((item) => parseItem(CredentialMark, item, CREDENTIAL_MARKS.pk));
  },
});

/** Credentials whose calls should be examined: whether the target still refuses one, its later calls show. */
export type CredentialMarks = ReturnType<typeof dynamoCredentialMarks>;
