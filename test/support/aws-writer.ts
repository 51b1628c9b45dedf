/** Writes to an embedded AWS of its own until it is killed, and prints each number once it is acknowledged everywhere. */
import { PutItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EncryptCommand, CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { tables } from '../../lambdas/manifest.ts';
import { startEmbeddedAws } from '../../local/aws/index.ts';
import { connectionOf } from './aws.ts';

const [dataFolder = '', prefix = '', bucket = ''] = process.argv.slice(2);
const aws = await startEmbeddedAws({ dataFolder });
await aws.createTables(tables, prefix);
await aws.createBucket(bucket);

const connection = connectionOf(aws, 'writer');
const dynamo = new DynamoDBClient(connection);
const s3 = new S3Client(connection);
const kms = new KMSClient(connection);
const secrets = new SecretsManagerClient(connection);

for (let number = 0; ; number += 1) {
  const name = `written-${number}`;
  const Item = { pk: { S: name } };
  await dynamo.send(new PutItemCommand({ TableName: `${prefix}limits`, Item }));
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: name, Body: name }));
  await secrets.send(new CreateSecretCommand({ Name: name, SecretString: name }));
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
  const Plaintext = Buffer.from(name);
  const sealed = await kms.send(new EncryptCommand({ KeyId: KeyMetadata!.KeyId!, Plaintext }));
  const ciphertext = Buffer.from(sealed.CiphertextBlob!).toString('base64');
  process.stdout.write(`${JSON.stringify({ name, ciphertext })}\n`);
}
