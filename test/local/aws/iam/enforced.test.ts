import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DecryptCommand,
  GenerateDataKeyCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
} from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { FunctionName } from '../../../../lambdas/manifest.ts';
import { MAIL_FROM, startTestAws, type TestAws } from '../../../support/aws/aws.ts';

let aws: TestAws;

beforeAll(async () => {
  // What is tried here shows no need of it: nothing of this is recorded.
  delete process.env['HOSTED_MCP_ACCESS_RECORDS'];
  aws = await startTestAws();
  await aws.aws.createEncryptionKey('alias/another');
  aws.aws.onInvoke(async () => ({ payload: '{}' }));
});
afterAll(() => aws.stop());
afterEach(() => aws.enforce('secrets-manager'));

type Table = Parameters<TestAws['tableName']>[0];
type Caller = FunctionName | 'test' | 'nobody';
/** Sends one request as a caller. @returns the name of the error, or `allowed` */
type Attempt = (caller: Caller) => Promise<string>;

const outcome = async (sent: Promise<unknown>): Promise<string> =>
  sent.then(
    () => 'allowed',
    (error: Error) => error.name,
  );

const dynamo =
  (send: (client: DynamoDBClient, nameOf: (name: Table) => string) => Promise<unknown>): Attempt =>
  (caller) =>
    outcome(send(aws.client(DynamoDBClient, caller), aws.tableName));
const key = (table: Table, pk: string, sk?: string) => ({
  TableName: aws.tableName(table),
  Key: { pk: { S: pk }, ...(sk !== undefined && { sk: { S: sk } }) },
});
const get = (table: Table, pk: string, sk?: string): Attempt =>
  dynamo((client) => client.send(new GetItemCommand(key(table, pk, sk))));
const put = (table: Table, pk: string, more: Record<string, { S: string }> = {}): Attempt =>
  dynamo((client, nameOf) =>
    client.send(new PutItemCommand({ TableName: nameOf(table), Item: { pk: { S: pk }, ...more } })),
  );
const update = (table: Table, pk: string): Attempt =>
  dynamo((client) =>
    client.send(
      new UpdateItemCommand({
        ...key(table, pk),
        UpdateExpression: 'SET a = :a',
        ExpressionAttributeValues: { ':a': { S: 'a' } },
      }),
    ),
  );
const remove = (table: Table, pk: string): Attempt =>
  dynamo((client) => client.send(new DeleteItemCommand(key(table, pk))));
const scan = (table: Table): Attempt =>
  dynamo((client, nameOf) => client.send(new ScanCommand({ TableName: nameOf(table) })));
const queryTable = (table: Table, id: string): Attempt =>
  dynamo((client, nameOf) =>
    client.send(
      new QueryCommand({
        TableName: nameOf(table),
        KeyConditionExpression: 'pk = :id',
        ExpressionAttributeValues: { ':id': { S: id } },
      }),
    ),
  );
const query = (table: Table, IndexName: string, attribute: string, id = 'id'): Attempt =>
  dynamo((client, nameOf) =>
    client.send(
      new QueryCommand({
        TableName: nameOf(table),
        IndexName,
        KeyConditionExpression: `${attribute} = :id`,
        ExpressionAttributeValues: { ':id': { S: id } },
      }),
    ),
  );

const s3 =
  (send: (client: S3Client, Bucket: string) => Promise<unknown>): Attempt =>
  (caller) =>
    outcome(send(aws.client(S3Client, caller), aws.bucket));
const getFile = (Key: string) =>
  s3((client, Bucket) => client.send(new GetObjectCommand({ Bucket, Key })));
const putFile = (Key: string) =>
  s3((client, Bucket) => client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' })));
const putAnswer =
  (Key: string): Attempt =>
  (caller) =>
    outcome(
      aws
        .client(S3Client, caller)
        .send(new PutObjectCommand({ Bucket: aws.answersBucket, Key, Body: 'x' })),
    );
const listFiles = (Prefix?: string) =>
  s3((client, Bucket) => client.send(new ListObjectsV2Command({ Bucket, Prefix })));

const kms =
  (send: (client: KMSClient) => Promise<unknown>): Attempt =>
  (caller) =>
    outcome(send(aws.client(KMSClient, caller)));
const signWith = (key: 'signingKey' | 'mintingKey') =>
  kms((client) =>
    client.send(
      new SignCommand({
        KeyId: aws[key],
        Message: Buffer.alloc(32),
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      }),
    ),
  );
const [signSession, signMinted] = [signWith('signingKey'), signWith('mintingKey')];
const dataKey = (EncryptionContext: Record<string, string>) =>
  kms((client) =>
    client.send(
      new GenerateDataKeyCommand({
        KeyId: aws.credentialsKey,
        KeySpec: 'AES_256',
        EncryptionContext,
      }),
    ),
  );

const secrets =
  (send: (client: SecretsManagerClient) => Promise<unknown>): Attempt =>
  (caller) =>
    outcome(send(aws.client(SecretsManagerClient, caller)));
const VERSION = '00000000-0000-4000-8000-000000000000';
const value = { ClientRequestToken: VERSION, SecretString: 'x' };
const createSecret = (Name: string, KmsKeyId = 'alias/test-credentials') =>
  secrets((client) => client.send(new CreateSecretCommand({ Name, KmsKeyId, ...value })));
const readSecret = secrets((client) =>
  client.send(new GetSecretValueCommand({ SecretId: 'test/dep-1', VersionId: VERSION })),
);

const invoke =
  (FunctionName: string): Attempt =>
  (caller) =>
    outcome(aws.client(LambdaClient, caller).send(new InvokeCommand({ FunctionName })));

const mail =
  (FromEmailAddress: string, ConfigurationSetName?: string): Attempt =>
  (caller) =>
    outcome(
      aws.client(SESv2Client, caller).send(
        new SendEmailCommand({
          FromEmailAddress,
          ConfigurationSetName,
          Destination: { ToAddresses: ['ada@example.net'] },
          Content: {
            Simple: {
              Subject: { Data: 'x' },
              Body: { Text: { Data: 'x' }, Html: { Data: 'x' } },
            },
          },
        }),
      ),
    );

const denied: readonly [caller: Caller, what: string, attempt: Attempt][] = [
  ['router', 'reads refresh tokens', get('oauth', 'RT#1')],
  ['router', 'reads codes', get('oauth', 'CODE#1')],
  ['router', 'reads clients', get('oauth', 'CLIENT#1')],
  ['router', 'writes tokens', put('oauth', 'AT#1')],
  ['router', 'reads users', get('users', 'USER#1')],
  ['router', 'writes deployments', put('deployments', 'SLUG#1')],
  ['router', 'reads kept answers of management', get('limits', 'IDEMPOTENCY#1')],
  ['router', 'lifts limits on sign-ins', update('limits', 'logins_per_minute_per_ip#1')],
  ['router', 'writes what is no event', put('security-events', 'OTHER#1', { sk: { S: '1' } })],
  ['router', 'scans', scan('limits')],
  ['router', 'reads credentials', readSecret],
  ['router', 'signs sessions', signSession],
  ['router', 'signs minted tokens', signMinted],
  ['management', 'signs sessions', signSession],
  ['oauth', 'signs minted tokens', signMinted],
  ['router', 'writes files of versions', putFile('deployments/d/v1/INDEX')],
  ['router', 'lists files', listFiles('deployments/')],
  ['router', 'invokes another function than the broker', invoke('management:live')],
  ['router', 'invokes the broker past its alias', invoke('credentials')],
  ['router', 'reads tokens that others gave', get('connections', 'TOKEN#d#main')],
  ['management', 'reads tokens that others gave', get('connections', 'TOKEN#d#main')],
  ['management', 'writes tokens that others gave', put('connections', 'TOKEN#d#main')],
  ['management', 'asks for tokens', invoke('connections:live')],
  ['oauth', 'asks for tokens', invoke('connections:live')],
  ['credentials', 'asks for tokens', invoke('connections:live')],
  ['credentials', 'reads tokens that others gave', get('connections', 'TOKEN#d#main')],
  ['maintenance', 'reads tokens that others gave', get('connections', 'TOKEN#d#main')],
  ['connections', 'keeps what is no token', update('connections', 'CONNECTION#d#main#u')],
  ['connections', 'looks through its table', scan('connections')],
  ['connections', 'counts what is no retrieval', update('limits', 'credential_x#1')],
  ['connections', 'reads deployments', get('deployments', 'SLUG#1')],
  ['connections', 'reads sessions', get('oauth', 'SESSION#1')],
  ['connections', 'reads refresh tokens', get('oauth', 'RT#1')],
  ['connections', 'writes access tokens', put('oauth', 'AT#1')],
  ['connections', 'revokes access tokens', update('oauth', 'AT#1')],
  ['oauth', 'writes deployments', put('deployments', 'SLUG#1')],
  ['oauth', 'reads contents', get('deployment-content', 'DEP#1', 'V#1')],
  ['oauth', 'reads files', getFile('deployments/d/v1/INDEX')],
  ['oauth', 'reads counters', get('limits', 'logins_per_minute_per_ip#1')],
  ['oauth', 'takes usage away', update('limits', 'USAGE#1')],
  ['oauth', 'sends mails itself', mail(MAIL_FROM)],
  ['oauth', 'reads credentials', readSecret],
  ['mails', 'reads users', get('users', 'USER#1')],
  ['mails', 'reads tokens of links', get('users', 'MAIL#verify#1')],
  ['mails', 'sends from another address', mail('eve@example.com')],
  ['mails', 'sends from another domain', mail('hosted-mcp@example.net')],
  ['mails', 'sends by another configuration set', mail(MAIL_FROM, 'another')],
  ['mails', 'counts what is no mail', update('limits', 'USAGE#1')],
  ['management', 'reads access tokens', get('oauth', 'AT#1')],
  ['management', 'writes sessions', put('oauth', 'SESSION#1')],
  ['management', 'writes grants', put('oauth', 'GRANT#1')],
  ['management', 'moves what has ended for everybody', put('oauth', 'NOTBEFORE')],
  ['management', 'lists sessions', query('oauth', 'by-user', 'userId', 'SESSION#1')],
  ['oauth', 'lists grants', query('oauth', 'by-user', 'userId', '1')],
  ['management', 'lists what are no users', query('users', 'by-email', 'kind')],
  ['management', 'scans users', scan('users')],
  ['oauth', 'lists users', query('users', 'by-email', 'kind')],
  ['management', 'makes operators', put('users', 'OPERATOR#1')],
  ['management', 'marks operators', update('users', 'OPERATOR#1')],
  ['management', 'reads lockouts', get('users', 'LOCK#1')],
  ['management', 'reads tokens of links', get('users', 'MAIL#reset#1')],
  ['management', 'lifts limits on sign-ins', remove('limits', 'logins_per_minute_per_ip#1')],
  ['management', 'reads credentials', readSecret],
  ['management', 'makes secrets under another key', createSecret('test/dep-2', 'alias/another')],
  ['management', 'makes secrets elsewhere', createSecret('elsewhere/dep-2')],
  ['management', 'writes answers', putAnswer('1')],
  ['router', 'writes files', putFile('deployments/1')],
  ['management', 'lists all files', listFiles()],
  ['management', 'makes data keys itself', dataKey({ deployment_id: 'd', owner_id: 'o' })],
  ['credentials', 'writes credentials', createSecret('test/dep-3')],
  ['credentials', 'counts what is no retrieval', update('limits', 'USAGE#1')],
  ['credentials', 'reads deployments', get('deployments', 'SLUG#1')],
  ['activity', 'reads the calls of everybody', scan('calls')],
  ['activity', 'reads the calls of a server', queryTable('calls', 'CALLS#1#0')],
  ['activity', 'writes counts', put('calls', 'CALLHOURS#1', { sk: { S: '1' } })],
  ['tally', 'changes calls', put('calls', 'CALLS#1#0', { sk: { S: '1' } })],
  ['tally', 'marks calls', put('calls', 'TOUCHED#1#0', { sk: { S: '1' } })],
  ['tally', 'removes counts', remove('calls', 'CALLHOURS#1')],
  ['tally', 'reads the calls of everybody', scan('calls')],
  ['activity', 'reads tokens', get('oauth', 'AT#1')],
  ['nobody', 'reads anything', get('deployments', 'SLUG#1')],
  ...(['router', 'oauth', 'mails', 'credentials', 'connections', 'maintenance'] as const).flatMap(
    (other): typeof denied => [
      [other, 'reads recorded calls', queryTable('recorded-calls', 'RECORDED#1')],
      [other, 'looks through recorded calls', scan('recorded-calls')],
      [other, 'reads keys of recorded calls', get('limits', 'RECORDING#1')],
    ],
  ),
  ['activity', 'reads recorded calls', queryTable('recorded-calls', 'RECORDED#1')],
  ['activity', 'looks through recorded calls', scan('recorded-calls')],
  ['activity', 'removes recorded calls', remove('recorded-calls', 'RECORDED#1')],
  ['activity', 'reads keys of recorded calls', get('limits', 'RECORDING#1')],
  ['management', 'writes recorded calls', put('recorded-calls', 'RECORDED#1', { sk: { S: '1' } })],
  ['management', 'changes recorded calls', update('recorded-calls', 'RECORDED#1')],
  ['management', 'looks through recorded calls', scan('recorded-calls')],
  ['router', 'writes recorded calls', put('recorded-calls', 'RECORDED#1', { sk: { S: '1' } })],
];

describe('a function is denied what its policy does not allow:', () => {
  test.each(denied)('%s %s', async (caller, _, attempt) => {
    expect(await attempt('test')).not.toMatch(/^AccessDenied/);
    expect(await attempt(caller)).toMatch(/^AccessDenied/);
    expect(aws.aws.takeDenials()).toMatchObject([{ caller }]);
  });

  const allowed: readonly [caller: Caller, what: string, attempt: Attempt][] = [
    ['router', 'reads access tokens', get('oauth', 'AT#1')],
    ['router', 'keeps answers', putAnswer('1')],
    ['router', 'invokes the broker', invoke('credentials:live')],
    ['router', 'asks for tokens', invoke('connections:live')],
    ['connections', 'keeps tokens', update('connections', 'TOKEN#d#main')],
    ['connections', 'looks whose a token is', get('oauth', 'AT#1')],
    ['connections', 'counts retrievals', update('limits', 'connection_x#1')],
    ['mails', 'sends from its address', mail(MAIL_FROM)],
    ['management', 'makes secrets', createSecret('test/dep-4')],
    ['management', 'reads recorded calls', queryTable('recorded-calls', 'RECORDED#1')],
    ['management', 'reads their keys', get('limits', 'RECORDING#1')],
    ['activity', 'adds calls', put('calls', 'CALLS#1#0', { sk: { S: '1' } })],
    ['tally', 'reads calls', queryTable('calls', 'CALLS#1#0')],
    ['tally', 'keeps counts', put('calls', 'CALLHOURS#1', { sk: { S: '1' } })],
    ['tally', 'counts in parts', invoke('tally:live')],
    ['activity', 'stores recorded calls', put('recorded-calls', 'RECORDED#1', { sk: { S: '1' } })],
    [
      'management',
      'lists the deployments of an owner',
      query('deployments', 'by-owner', 'ownerId'),
    ],
    ['management', 'lists the grants of a user', query('oauth', 'by-user', 'userId', '1')],
    ['oauth', 'lists sessions', query('oauth', 'by-user', 'userId', 'SESSION#1')],
    ['management', 'lists files', listFiles('deployments/d/')],
    ['oauth', 'signs sessions', signSession],
    ['management', 'signs minted tokens', signMinted],
  ];
  test.each(allowed)('but not what it does: %s %s', async (caller, _, attempt) => {
    expect(await attempt(caller)).toBe('allowed');
  });
});

describe('a request of several items', () => {
  const write = (table: Table, pk: string) => ({
    Put: { TableName: aws.tableName(table), Item: { pk: { S: pk } } },
  });
  const transact = (...TransactItems: readonly ReturnType<typeof write>[]) =>
    outcome(
      aws
        .client(DynamoDBClient, 'management')
        .send(new TransactWriteItemsCommand({ TransactItems: [...TransactItems] })),
    );
  const batch = (name: Table, table = aws.tableName(name)) =>
    outcome(
      aws.client(DynamoDBClient, 'management').send(
        new BatchWriteItemCommand({
          RequestItems: {
            [table]: [{ PutRequest: { Item: { pk: { S: 'JTI#1' }, sk: { S: '1' } } } }],
          },
        }),
      ),
    );

  test('is denied for one of them', async () => {
    expect(await transact(write('oauth', 'JTI#1'))).toBe('allowed');
    expect(await transact(write('oauth', 'JTI#2'), write('oauth', 'SESSION#1'))).toBe(
      'AccessDeniedException',
    );
    expect(aws.aws.takeDenials()).toHaveLength(1);
    expect(await get('oauth', 'JTI#2')('test')).toBe('allowed');
  });

  test('needs an action of its own where it is a batch', async () => {
    expect(await batch('deployment-content')).toBe('allowed');
    expect(await batch('oauth')).toBe('AccessDeniedException');
    expect(aws.aws.takeDenials()).toMatchObject([{ action: 'dynamodb:BatchWriteItem' }]);
  });
});

describe('an object that is not there', () => {
  test('is denied to whoever may not list the bucket', async () => {
    expect(await getFile('deployments/none')('router')).toBe('AccessDenied');
    expect(await getFile('deployments/none')('test')).toBe('NoSuchKey');
    // It was allowed to look.
    expect(aws.aws.takeDenials()).toEqual([]);
  });
});

describe('the key of credentials', () => {
  const context = { deployment_id: 'd', owner_id: 'o' };
  const decrypt = (CiphertextBlob: Uint8Array, EncryptionContext: Record<string, string>) =>
    kms((client) =>
      client.send(
        new DecryptCommand({ KeyId: aws.credentialsKey, CiphertextBlob, EncryptionContext }),
      ),
    );

  test.each<[why: string, context: Record<string, string>]>([
    ['without an owner', { deployment_id: 'd' }],
    ['without a context', {}],
    ['with more than deployment and owner', { ...context, more: 'm' }],
  ])('makes no data key for an envelope %s', async (_, other) => {
    aws.enforce('envelope');

    expect(await dataKey(context)('management')).toBe('allowed');
    expect(await dataKey(other)('management')).toBe('AccessDeniedException');
    expect(aws.aws.takeDenials()).toMatchObject([{ action: 'kms:GenerateDataKey' }]);
  });

  test('opens envelopes for the broker only', async () => {
    aws.enforce('envelope');
    const { CiphertextBlob = Buffer.of() } = await aws.client(KMSClient).send(
      new GenerateDataKeyCommand({
        KeyId: aws.credentialsKey,
        KeySpec: 'AES_256',
        EncryptionContext: context,
      }),
    );

    expect(await decrypt(CiphertextBlob, context)('credentials')).toBe('allowed');
    expect(await decrypt(CiphertextBlob, context)('management')).toBe('AccessDeniedException');
    expect(await decrypt(CiphertextBlob, context)('router')).toBe('AccessDeniedException');
    aws.aws.takeDenials();
  });

  test('opens clients of authorization servers, and what they were given, for the function that asks there alone', async () => {
    aws.enforce('envelope');
    const use = 'connection';
    const token = { deployment_id: 'd', credential: 'main', use };
    const everybody = ['credentials', 'management', 'maintenance', 'router', 'oauth'] as const;
    for (const bound of [{ ...context, use }, token, { ...token, subject: 'a'.repeat(64) }]) {
      const { CiphertextBlob = Buffer.of() } = await aws.client(KMSClient).send(
        new GenerateDataKeyCommand({
          KeyId: aws.credentialsKey,
          KeySpec: 'AES_256',
          EncryptionContext: bound,
        }),
      );
      expect(await decrypt(CiphertextBlob, bound)('connections')).toBe('allowed');
      for (const other of everybody) {
        expect(await decrypt(CiphertextBlob, bound)(other)).toBe('AccessDeniedException');
      }
    }
    // Nor does it open what calls carry as it is, or make keys for what it does not keep.
    expect(await dataKey(token)('connections')).toBe('allowed');
    expect(await dataKey({ ...context, use })('connections')).toBe('AccessDeniedException');
    expect(await dataKey(token)('management')).toBe('AccessDeniedException');
    const { CiphertextBlob = Buffer.of() } = await aws.client(KMSClient).send(
      new GenerateDataKeyCommand({
        KeyId: aws.credentialsKey,
        KeySpec: 'AES_256',
        EncryptionContext: context,
      }),
    );
    expect(await decrypt(CiphertextBlob, context)('connections')).toBe('AccessDeniedException');
    aws.aws.takeDenials();
  });

  test.each(['envelope', 'secrets-manager'] as const)(
    'has the store %s give each of the two readers its own',
    async (store) => {
      aws.enforce(store);
      const secret = (SecretId: string): Attempt =>
        secrets((client) =>
          client.send(new GetSecretValueCommand({ SecretId, VersionId: VERSION })),
        );
      if (store === 'secrets-manager') {
        await createSecret('test/dep-6')('test');
        await createSecret('test-connected/dep-6/main')('test');
      }
      const of =
        store === 'envelope'
          ? {
              credentials: get('credentials', 'CREDENTIAL#dep-6'),
              connections: get('credentials', 'CONNECTED#dep-6#main'),
            }
          : {
              credentials: secret('test/dep-6'),
              connections: secret('test-connected/dep-6/main'),
            };
      for (const [reader, other] of [
        ['credentials', 'connections'],
        ['connections', 'credentials'],
      ] as const) {
        expect(await of[reader](reader)).toBe('allowed');
        expect(await of[reader](other)).toBe('AccessDeniedException');
        expect(await of[reader]('management')).toBe('AccessDeniedException');
        expect(await of[reader]('router')).toBe('AccessDeniedException');
      }
      aws.aws.takeDenials();
    },
  );

  test('opens no secret of a function that Secrets Manager let in', async () => {
    await createSecret('test/dep-5')('test');
    const read = secrets((client) =>
      client.send(new GetSecretValueCommand({ SecretId: 'test/dep-5', VersionId: VERSION })),
    );

    expect(await read('credentials')).toBe('allowed');
    expect(await read('management')).toBe('AccessDeniedException');
    aws.aws.takeDenials();
  });
});

describe('a denial', () => {
  test('says who may not do what, as AWS does', async () => {
    const read = new GetItemCommand(key('users', 'USER#1'));
    await expect(aws.client(DynamoDBClient, 'router').send(read)).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message:
        'User: arn:aws:sts::000000000000:assumed-role/router/router is not authorized to perform: ' +
        'dynamodb:GetItem on resource: arn:aws:dynamodb:us-east-1:000000000000:table/test-users ' +
        'because no identity-based policy allows the dynamodb:GetItem action',
      $metadata: { httpStatusCode: 400 },
    });
    aws.aws.takeDenials();
  });

  test.each<[service: string, attempt: Attempt, name: string]>([
    ['S3', listFiles(), 'AccessDenied'],
    ['KMS', signSession, 'AccessDeniedException'],
    ['Lambda', invoke('oauth:live'), 'AccessDeniedException'],
    ['SES', mail(MAIL_FROM), 'AccessDeniedException'],
    [
      'Secrets Manager',
      secrets((client) =>
        client.send(new PutSecretValueCommand({ SecretId: 'test/dep-5', ...value })),
      ),
      'AccessDeniedException',
    ],
    [
      'Secrets Manager, to delete',
      secrets((client) => client.send(new DeleteSecretCommand({ SecretId: 'test/dep-5' }))),
      'AccessDeniedException',
    ],
    [
      'S3, to delete',
      s3((client, Bucket) =>
        client.send(new DeleteObjectCommand({ Bucket, Key: 'deployments/1' })),
      ),
      'AccessDenied',
    ],
  ])('has the name that it has in %s', async (_, attempt, name) => {
    expect(await attempt('router')).toBe(name);
    aws.aws.takeDenials();
  });

  test.each(['management', 'maintenance'] as const)(
    'keeps %s from deleting a secret beyond recovery',
    async (name) => {
      const deleted = (more: object) =>
        secrets((client) =>
          client.send(new DeleteSecretCommand({ SecretId: 'test/dep-none', ...more })),
        );

      expect(await deleted({ ForceDeleteWithoutRecovery: true })(name)).toBe(
        'AccessDeniedException',
      );
      expect(await deleted({})(name)).toBe('AccessDeniedException');
      expect(await deleted({ RecoveryWindowInDays: 7 })(name)).toBe('ResourceNotFoundException');
      aws.aws.takeDenials();
    },
  );

  test('does not keep anybody from public keys that may read them', async () => {
    const read = kms((client) => client.send(new GetPublicKeyCommand({ KeyId: aws.signingKey })));

    expect(await read('router')).toBe('allowed');
    expect(await read('mails')).toBe('AccessDeniedException');
    aws.aws.takeDenials();
  });
});
