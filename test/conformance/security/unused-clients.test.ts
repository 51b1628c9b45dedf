import { DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { connectionOf } from '../../support/aws/aws.ts';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let person: Person;
let server: PublishedServer;
let dynamo: DynamoDBClient;
beforeAll(async () => {
  service = await startWholeService();
  person = await service.person();
  server = await service.publish(person);
  dynamo = new DynamoDBClient(connectionOf(service.aws, 'test'));
});
afterAll(async () => {
  dynamo.destroy();
  await service.stop();
});

const place = (clientId: string) => ({
  TableName: 'hosted-mcp-oauth',
  Key: { pk: { S: `CLIENT#${clientId}` } },
});

const now = () => Math.floor(Date.now() / 1000);

const secondsLeft = async (clientId: string): Promise<number> => {
  const { Item } = await dynamo.send(new GetItemCommand(place(clientId)));
  return Number(Item?.['expiresAt']?.N) - now();
};

/** As if the client had been left alone until it had so many seconds left. */
const age = (clientId: string, left: number) =>
  dynamo.send(
    new UpdateItemCommand({
      ...place(clientId),
      UpdateExpression: 'SET expiresAt = :expiresAt',
      ExpressionAttributeValues: { ':expiresAt': { N: String(now() + left) } },
    }),
  );

describe('a client that registers and is not used', () => {
  test('has 90 days, and is unknown afterwards', async () => {
    const client = await aRawClient(service);
    const left = await secondsLeft(client.id);
    expect(left).toBeGreaterThan(90 * DAY - 60);
    expect(left).toBeLessThanOrEqual(90 * DAY);
    const code = await client.code(service.browser(), person, server);
    await age(client.id, 0);

    const refused = await client.redeem(code);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: 'invalid_client' });
    expect((await service.fetch(client.address(server), { redirect: 'manual' })).status).toBe(400);
  });
});

describe('a client that is used', () => {
  test('has 90 days from its latest grant or refresh', async () => {
    const client = await aRawClient(service);
    await age(client.id, 60);
    const { refresh_token: refreshToken } = await client.tokens(service.browser(), person, server);
    expect(await secondsLeft(client.id)).toBeGreaterThan(90 * DAY);
    await age(client.id, 60);

    expect((await client.refresh(refreshToken)).status).toBe(200);
    expect(await secondsLeft(client.id)).toBeGreaterThan(90 * DAY);
  });
});
