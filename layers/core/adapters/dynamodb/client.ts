import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Where the store is and who we are to it. Without `endpoint`: AWS itself. */
export type DynamoAccess = Required<Pick<DynamoDBClientConfig, 'credentials' | 'region'>> &
  Pick<DynamoDBClientConfig, 'endpoint'>;

/** Milliseconds. Short, so that a store that is down is told as a Fault well before the caller gives up. */
const CONNECT_MS = 1000;
const ANSWER_MS = 3000;

/** A client that connects at its first use and keeps its connections. */
export const dynamoClient = (access: DynamoAccess): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      ...access,
      maxAttempts: 2,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: ANSWER_MS,
        throwOnRequestTimeout: true,
        socketTimeout: ANSWER_MS,
      },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
