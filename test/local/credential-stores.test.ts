import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { CredentialStore } from '../../layers/credentials/rules/credential-stores.ts';
import {
  credentialStoresOf,
  refuseStrandedCredentials,
} from '../../local/run/credential-stores.ts';
import { startTestAws } from '../support/aws/aws.ts';

const [empty, used] = await Promise.all([startTestAws(), startTestAws()]);
afterAll(() => Promise.all([empty.stop(), used.stop()]));
await used.client(DynamoDBClient).send(
  new PutItemCommand({
    TableName: used.tableName('credentials'),
    Item: { pk: { S: 'CREDENTIAL#1' } },
  }),
);
await used.client(SecretsManagerClient).send(
  new CreateSecretCommand({
    Name: 'test/2',
    KmsKeyId: used.credentialsKey,
    SecretString: 'x',
    ClientRequestToken: '00000000-0000-4000-8000-000000000000',
  }),
);

describe('a start on credentials of before', () => {
  const start = ({ aws, tableName } = used, store: CredentialStore, former?: CredentialStore) =>
    refuseStrandedCredentials(aws, { store, former }, tableName('credentials'));

  test.each([
    ['envelope', 'secrets-manager'],
    ['secrets-manager', 'envelope'],
  ] as const)('with the store %s is refused where %s has some', async (store, other) => {
    await expect(start(used, store)).rejects.toThrow(
      `The data folder has credentials in the store ${other}: set HOSTED_MCP_CREDENTIAL_STORE_FORMER=${other}`,
    );
    await expect(start(used, store, other)).resolves.toBeUndefined();
    await expect(start(empty, store)).resolves.toBeUndefined();
  });

  test('is refused where both stores are the same', () => {
    expect(() => credentialStoresOf({ CREDENTIAL_STORE_FORMER: 'envelope' })).toThrow(
      'HOSTED_MCP_CREDENTIAL_STORE_FORMER must be another store than the one in use, envelope.',
    );
  });
});
