/** Writes to an embedded AWS of its own until it is killed, and prints each number once it is acknowledged everywhere. */
import { PutItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { buckets, tables } from '../../../lambdas/storage-manifest.ts';
import { startEmbeddedAws } from '../../../local/aws/index.ts';
import { connectionOf } from './aws.ts';

const VERSION_ID = '00000000-0000-4000-8000-000000000000';

const [dataFolder = '', prefix = '', bucket = '', KeyId = ''] = process.argv.slice(2);
const aws = await startEmbeddedAws({ dataFolder });
await aws.createTables(tables, prefix);
await aws.createBuckets(buckets, prefix);
await aws.createEncryptionKey(KeyId);

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
  const { CiphertextBlob, Plaintext } = await kms.send(
    new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256' }),
  );
  await secrets.send(
    new CreateSecretCommand({
      Name: name,
      KmsKeyId: KeyId,
      ClientRequestToken: VERSION_ID,
      SecretString: name,
    }),
  );
  const [ciphertext, plaintext] = [CiphertextBlob!, Plaintext!].map((bytes) =>
    Buffer.from(bytes).toString('base64'),
  );
  process.stdout.write(`${JSON.stringify({ name, ciphertext, plaintext })}\n`);
}
