import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { DAY } from '../../platform/rules/time.ts';
import type { CredentialMark, CredentialMarks } from '../../ports.ts';
import { CREDENTIAL_MARKS, credentialMarkKey } from '../../platform/dynamodb/keys.ts';
import { undefinedUnlessMet } from '../../platform/dynamodb/faults.ts';
import { type Fields, parseItem } from '../../platform/dynamodb/parse-item.ts';
import { queryItems } from '../../platform/dynamodb/query-items.ts';

const MARKED_SECONDS = 7 * DAY;

const MarkItem = z.object({
  deploymentId: z.string(),
  version: z.string(),
  since: z.int(),
} satisfies Fields<CredentialMark>);

/** In the table of calls, whose writer marks them. */
export const dynamoCredentialMarks = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): CredentialMarks => ({
  put: async (mark) => {
    const Item = { ...credentialMarkKey(mark), ...mark, deleteAfter: mark.since + MARKED_SECONDS };
    const ConditionExpression = 'attribute_not_exists(pk)';
    await dynamo
      .send(new PutCommand({ TableName, Item, ConditionExpression }))
      .catch(undefinedUnlessMet);
  },

  list: async () => {
    const items = await queryItems(dynamo, {
      TableName,
      KeyConditionExpression: 'pk = :marks',
      ExpressionAttributeValues: { ':marks': CREDENTIAL_MARKS.pk },
    });
    return items.map((item) => parseItem(MarkItem, item, CREDENTIAL_MARKS.pk));
  },
});
