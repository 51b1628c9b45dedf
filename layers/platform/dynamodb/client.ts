import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AwsAccess, timeouts } from '../aws/access.ts';
import { inTime } from '../system/clock.ts';

/** Milliseconds. Short, so that a store that is down is told as a Fault well before the caller gives up. */
const ANSWER_MS = 3000;

/** A client that connects at its first use and keeps its connections. */
export const dynamoClient = ({ timeLeft, ...access }: AwsAccess): DynamoDBDocumentClient => {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      ...access,
      maxAttempts: 2,
      requestHandler: timeouts(access, ANSWER_MS),
    }),
    // An object with a member called `constructor` is no plain one for the SDK, and a map like any other for us.
    { marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true } },
  );
  return inTime(client, timeLeft);
};
