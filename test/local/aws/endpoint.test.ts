import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { Worker } from 'node:worker_threads';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { connectionOf, startTestAws } from '../../support/aws/aws.ts';

const aws = await startTestAws();
afterAll(() => aws.stop());
afterEach(() => aws.aws.calls.reset());

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface Sent {
  readonly host?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as no SDK would send it. */
const send = ({
  host = '127.0.0.1',
  method = 'POST',
  path = '/',
  headers = {},
  body = '',
}: Sent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const [port] = aws.aws.ports;
    const sent = request({ host, port, method, path, headers }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

const signed = (service: string, key = aws.aws.environment('test')['AWS_ACCESS_KEY_ID']) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
});

const getItem = { 'x-amz-target': 'DynamoDB_20120810.GetItem' };

describe('the endpoints of the embedded AWS', () => {
  test('cannot be reached by any other address of the machine', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .map(({ address }) => address)
      .filter((address) => address !== '127.0.0.1');

    for (const host of others) {
      await expect(send({ host })).rejects.toThrow(/ECONNREFUSED|EHOSTUNREACH|EINVAL/);
    }
    expect((await send({})).status).toBe(403);
  });

  test('are found by the SDK from the environment alone, in a thread of its own', async () => {
    const program = `
      const { DynamoDBClient, ScanCommand } = require('@aws-sdk/client-dynamodb');
      const { S3Client, ListObjectsV2Command } = require('@aws-sdk/client-s3');
      const { KMSClient, GetPublicKeyCommand } = require('@aws-sdk/client-kms');
      const { SecretsManagerClient, DeleteSecretCommand } = require('@aws-sdk/client-secrets-manager');
      const { SESv2Client, SendEmailCommand } = require('@aws-sdk/client-sesv2');
      const { LambdaClient, InvokeCommand } = require('@aws-sdk/client-lambda');
      (async () => {
        await new DynamoDBClient({}).send(new ScanCommand({ TableName: 'test-limits' }));
        await new S3Client({}).send(new ListObjectsV2Command({ Bucket: 'test-descriptions' }));
        await new KMSClient({}).send(new GetPublicKeyCommand({ KeyId: 'alias/test-signing' }));
        await new SecretsManagerClient({}).send(
          new DeleteSecretCommand({ SecretId: 'none', ForceDeleteWithoutRecovery: true }));
        await new SESv2Client({}).send(new SendEmailCommand({
          FromEmailAddress: 'a@example.com',
          Destination: { ToAddresses: ['b@example.com'] },
          Content: { Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' }, Html: { Data: 'x' } } } },
        }));
        await new LambdaClient({}).send(new InvokeCommand({ FunctionName: 'none' })).catch((error) => {
          if (error.name !== 'ResourceNotFoundException') throw error;
        });
      })();`;
    const worker = new Worker(program, { eval: true, env: aws.aws.environment('test') });
    await new Promise((resolve, reject) => {
      worker.on('exit', resolve);
      worker.on('error', reject);
    });

    expect(
      aws.aws.calls.list().map(({ caller, service, operation }) => [caller, service, operation]),
    ).toEqual([
      ['test', 'dynamodb', 'Scan'],
      ['test', 's3', 'ListObjectsV2'],
      ['test', 'kms', 'GetPublicKey'],
      ['test', 'secretsmanager', 'DeleteSecret'],
      ['test', 'ses', 'SendEmail'],
      ['test', 'lambda', 'Invoke'],
    ]);
  });

  test('know each caller by a key of its own', () => {
    const router = aws.aws.environment('router');
    const management = aws.aws.environment('management');

    expect(aws.aws.environment('router')).toEqual(router);
    expect(management['AWS_ACCESS_KEY_ID']).not.toBe(router['AWS_ACCESS_KEY_ID']);
    expect(management['AWS_SECRET_ACCESS_KEY']).not.toBe(router['AWS_SECRET_ACCESS_KEY']);
  });
});

describe('a request with an unknown access key', () => {
  test.each([
    [
      'dynamodb',
      'UnrecognizedClientException',
      () =>
        stranger(DynamoDBClient).send(new GetItemCommand({ TableName: 'test-limits', Key: {} })),
    ],
    [
      's3',
      'InvalidAccessKeyId',
      () => stranger(S3Client).send(new ListObjectsV2Command({ Bucket: aws.bucket })),
    ],
    [
      'kms',
      'UnrecognizedClientException',
      () => stranger(KMSClient).send(new GetPublicKeyCommand({ KeyId: 'x' })),
    ],
    [
      'secretsmanager',
      'UnrecognizedClientException',
      () => stranger(SecretsManagerClient).send(new DeleteSecretCommand({ SecretId: 'x' })),
    ],
    [
      'ses',
      'UnrecognizedClientException',
      () => stranger(SESv2Client).send(new SendEmailCommand({ Content: {} })),
    ],
    [
      'lambda',
      'UnrecognizedClientException',
      () => stranger(LambdaClient).send(new InvokeCommand({ FunctionName: 'x' })),
    ],
  ])('is refused by %s with %s', async (_, name, call) => {
    await expect(call()).rejects.toMatchObject({ name });
    expect(aws.aws.calls.count()).toBe(0);
  });

  const stranger = <Client>(Constructor: new (connection: object) => Client) =>
    new Constructor({
      ...connectionOf(aws.aws, 'test'),
      credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'x' },
    });
});

describe('a request', () => {
  test.each([
    ['unsigned', () => ({ headers: getItem }), 403, 'MissingAuthenticationTokenException'],
    [
      'signed in another way',
      () => ({ headers: { ...getItem, authorization: 'Basic eDp4' } }),
      403,
      'MissingAuthenticationTokenException',
    ],
    [
      'for a service that is not embedded',
      () => ({ headers: signed('sqs') }),
      400,
      'UnknownOperationException',
    ],
    [
      'for an unknown operation',
      () => ({ headers: { ...signed('kms'), 'x-amz-target': 'TrentService.DeleteEverything' } }),
      400,
      'UnknownOperationException',
    ],
    [
      'for an operation that every object has',
      () => ({ headers: { ...signed('kms'), 'x-amz-target': 'TrentService.constructor' } }),
      400,
      'UnknownOperationException',
    ],
    [
      'for an operation of another service',
      () => ({ headers: { ...signed('kms'), ...getItem } }),
      400,
      'UnknownOperationException',
    ],
    [
      'with another method',
      () => ({ method: 'GET', headers: { ...signed('dynamodb'), ...getItem } }),
      400,
      'UnknownOperationException',
    ],
    [
      'from a page in a browser',
      () => ({ headers: { ...signed('dynamodb'), ...getItem, origin: 'null' } }),
      403,
      'AccessDeniedException',
    ],
    [
      'from a browser that sends no origin',
      () => ({ headers: { ...signed('dynamodb'), ...getItem, 'sec-fetch-site': 'none' } }),
      403,
      'AccessDeniedException',
    ],
    [
      'without a body',
      () => ({ headers: { ...signed('dynamodb'), ...getItem } }),
      400,
      'SerializationException',
    ],
    [
      'with a body that is no JSON',
      () => ({ headers: { ...signed('dynamodb'), ...getItem }, body: '{' }),
      400,
      'SerializationException',
    ],
    [
      'with a body that is no object',
      () => ({
        headers: { ...signed('kms'), 'x-amz-target': 'TrentService.GetPublicKey' },
        body: 'null',
      }),
      400,
      'SerializationException',
    ],
    [
      'with nulls in the wrong place',
      () => ({
        headers: { ...signed('dynamodb'), 'x-amz-target': 'DynamoDB_20120810.BatchWriteItem' },
        body: '{"RequestItems":{"test-limits":[null]}}',
      }),
      400,
      'SerializationException',
    ],
    [
      'with a wrong type',
      () => ({
        headers: { ...signed('kms'), 'x-amz-target': 'TrentService.GetPublicKey' },
        body: '{"KeyId":1}',
      }),
      400,
      'SerializationException',
    ],
    [
      'with bytes that are no Base64',
      () => ({
        headers: { ...signed('kms'), 'x-amz-target': 'TrentService.Decrypt' },
        body: '{"KeyId":"x","CiphertextBlob":"%"}',
      }),
      400,
      'SerializationException',
    ],
    [
      'with too large a body',
      () => ({
        headers: { ...signed('kms'), 'x-amz-target': 'TrentService.GetPublicKey' },
        body: 'x'.repeat(65_537),
      }),
      413,
      'RequestEntityTooLargeException',
    ],
    [
      'with too large a body of unknown length',
      () => ({
        headers: {
          ...signed('kms'),
          'x-amz-target': 'TrentService.GetPublicKey',
          'transfer-encoding': 'chunked',
        },
        body: 'x'.repeat(65_537),
      }),
      413,
      'RequestEntityTooLargeException',
    ],
  ])('is refused %s', async (_, sent, status, code) => {
    const reply = await send(sent());

    expect(reply.status).toBe(status);
    expect(reply.headers['x-amzn-errortype']).toBe(code);
    expect(JSON.parse(reply.body)).toMatchObject({ __type: code });
  });

  test.each([
    [
      'from a page',
      () => ({
        method: 'GET',
        path: '/test-descriptions/x',
        headers: { ...signed('s3'), origin: 'http://localhost' },
      }),
      403,
      'AccessDenied',
    ],
    ['without a bucket', () => ({ method: 'GET', headers: signed('s3') }), 501, 'NotImplemented'],
    [
      'with a bucket name that is a path',
      () => ({ method: 'GET', path: '/..?list-type=2', headers: signed('s3') }),
      404,
      'NoSuchBucket',
    ],
    [
      'with an encoded path as the bucket name',
      () => ({ method: 'GET', path: '/%2e%2e%2fx?list-type=2', headers: signed('s3') }),
      404,
      'NoSuchBucket',
    ],
    [
      'with a broken escape',
      () => ({ method: 'GET', path: '/test-descriptions/%', headers: signed('s3') }),
      400,
      'InvalidURI',
    ],
    [
      'with an unknown parameter',
      () => ({ method: 'GET', path: '/test-descriptions/x?acl', headers: signed('s3') }),
      501,
      'NotImplemented',
    ],
    [
      'that makes a bucket',
      () => ({ method: 'PUT', path: '/another', headers: signed('s3') }),
      501,
      'NotImplemented',
    ],
    [
      'in signed chunks',
      () => ({
        method: 'PUT',
        path: '/test-descriptions/x',
        body: '0\r\n\r\n',
        headers: { ...signed('s3'), 'content-encoding': 'aws-chunked' },
      }),
      501,
      'NotImplemented',
    ],
  ])('to S3 is refused %s', async (_, sent, status, code) => {
    const reply = await send(sent());

    expect(reply.status).toBe(status);
    expect(reply.body).toContain(`<Error><Code>${code}</Code><Message>`);
  });
});

describe('a function that is frozen', () => {
  test('has its calls wait until it is invoked again', async () => {
    const { promise: invoked, resolve: invoke } = Promise.withResolvers<void>();
    aws.aws.freezeCallers((name) => (name === 'router' ? invoked : Promise.resolve()));
    const ask = (caller: string) =>
      aws.client(KMSClient, caller).send(new GetPublicKeyCommand({ KeyId: aws.signingKey }));
    const left = ask('router');
    await ask('test');
    const before = aws.aws.calls.count({ caller: 'router' });
    invoke();
    await left;

    expect([before, aws.aws.calls.count({ caller: 'router' })]).toEqual([0, 1]);
  });
});
