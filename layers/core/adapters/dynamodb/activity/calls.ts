import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type CallRecord, daysOf, placeOfCall } from '../../../domain/activity/index.ts';
import type { CallQuery, Calls } from '../../../ports.ts';
import { callCountPartition, callPartition } from '../keys.ts';
import { dynamoFault } from '../table/faults.ts';
import { parseItem } from '../table/parse-item.ts';
import { queryItems } from '../table/query-items.ts';
import { CallCountItem, CallItem, SHARDS } from './call-item.ts';

/** How many calls of a partition are looked at for one page, whether or not they are wanted. */
const LOOK_AT = 250;

/** Reads what was kept and counted of a deployment's calls. */
export const dynamoCalls = (dynamo: DynamoDBDocumentClient, TableName: string): Calls => ({
  page: async (query) => {
    const { deploymentId, from, before, limit } = query;
    // A range that ends before it begins is an error to DynamoDB.
    if (before <= from) return { calls: [], next: undefined };
    const looks = await Promise.all(
      shards().map(async (shard) => {
        const { Items = [], LastEvaluatedKey } = await dynamo
          .send(
            new QueryCommand({
              TableName,
              KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :before',
              ...filterOf(query, {
                ':partition': callPartition(deploymentId, shard).pk,
                ':from': from,
                ':before': before,
              }),
              ScanIndexForward: false,
              Limit: LOOK_AT,
            }),
          )
          .catch(dynamoFault);
        const end = LastEvaluatedKey && String(LastEvaluatedKey['sk']);
        return { calls: Items.map(callFrom), end };
      }),
    );
    // Down to there every partition was looked at.
    const end = looks.reduce((end, look) => (look.end && look.end > end ? look.end : end), '');
    const found = looks
      .flatMap(({ calls }) => calls.map((call) => ({ place: placeOfCall(call), call })))
      // The bounds of a range are in it, and the end has been shown.
      .filter(({ place }) => place < before && place >= end)
      .toSorted((one, other) => (one.place > other.place ? -1 : 1));
    const shown = found.slice(0, limit);
    const next = found.length > limit ? shown.at(-1)?.place : end || undefined;
    return { calls: shown.map(({ call }) => call), next };
  },

  days: async (deploymentId, from, to) => {
    const counts = shards().map((shard) =>
      queryItems(dynamo, {
        TableName,
        KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':partition': callCountPartition(deploymentId, shard).pk,
          ':from': from,
          // Sorts behind every hour of the last day.
          ':to': `${to}~`,
        },
      }),
    );
    const items = (await Promise.all(counts)).flat();
    return daysOf(
      items.map((item) =>
        parseItem(CallCountItem, item, `a count of calls of deployment ${deploymentId}`),
      ),
    );
  },
});

const shards = (): readonly number[] => Array.from({ length: SHARDS }, (_, shard) => shard);

const callFrom = (item: unknown): CallRecord => parseItem(CallItem, item, 'a call');

const filterOf = (
  { tool, subjects, clientId, outcome }: CallQuery,
  values: Readonly<Record<string, string>>,
) => {
  const wanted = Object.entries({
    tool: [tool],
    subject: subjects,
    clientId: [clientId],
    outcome: [outcome],
  })
    .map(([name, any = []]) => ({ name, any: any.filter((one) => one !== undefined) }))
    .filter(({ any }) => any.length > 0);
  const placeholders = wanted.flatMap(({ name, any }) =>
    any.map((value, index) => [`:${name}${index}`, value] as const),
  );
  return {
    ...(wanted.length > 0 && {
      FilterExpression: wanted
        .map(
          ({ name, any }) =>
            `#${name} IN (${any.map((_, index) => `:${name}${index}`).join(', ')})`,
        )
        .join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(wanted.map(({ name }) => [`#${name}`, name])),
    }),
    ExpressionAttributeValues: { ...values, ...Object.fromEntries(placeholders) },
  };
};
