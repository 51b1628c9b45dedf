import { dynamoPublicRequests } from '../layers/limits/store/public-requests.ts';
import { dynamoClient } from '../layers/platform/dynamodb/client.ts';

type Environment = Readonly<Record<string, string>>;

/** Counts a request as the router does where anybody may call: what the official SDK does not do by itself. */
export const counting = (environment: Environment): (() => Promise<unknown>) => {
  const value = (name: string): string => environment[name] ?? '';
  const dynamo = dynamoClient({
    region: value('AWS_REGION'),
    credentials: {
      accessKeyId: value('AWS_ACCESS_KEY_ID'),
      secretAccessKey: value('AWS_SECRET_ACCESS_KEY'),
    },
    endpoint: value('AWS_ENDPOINT_URL_DYNAMODB'),
  });
  const requests = dynamoPublicRequests(dynamo, value('LIMITS_TABLE'), 1_000_000);
  const request = { subject: '192.0.2.2', deploymentId: 'bench', slug: 'bench' };
  return () => requests.count(request, 1, Math.floor(Date.now() / 1000));
};
