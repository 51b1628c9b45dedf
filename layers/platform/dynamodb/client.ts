import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AwsAccess, timeouts } from '../aws/access.ts';
import { inTime } from '../system/clock.ts';

/** Milliseconds. Short, so that an unavailable store becomes a Fault well before the caller gives up. */
const ANSWER_MS = 3000;

export const dynamoClient = ({ timeLeft, ...access }: AwsAccess): DynamoDBDocumentClient => {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      ...access,
      maxAttempts: 2,
      requestHandler: timeouts(access, ANSWER_MS),
    }),
    // The SDK takes an object with a member `constructor` for a class instance and refuses it; here it is a map.
    { marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true } },
  );
  return inTime(client, timeLeft);
};
