import type { ContentHome } from '../rules/named-contents.ts';
import { deploymentKey } from '../../platform/dynamodb/keys.ts';
import type { Write } from '../../platform/dynamodb/transact.ts';

/**
 * More or fewer contents of a deployment have values for completion. It is a change of the deployment like any
 * other: whoever is changing it as a whole sees that it is another one now.
 */
export const completionsGrow = (
  TableName: string,
  { id, slug }: ContentHome,
  growth: number,
): Write => ({
  Update: {
    TableName,
    Key: deploymentKey(slug),
    UpdateExpression: 'ADD completions :growth, revision :one',
    ConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':growth': growth, ':one': 1, ':id': id },
  },
});
