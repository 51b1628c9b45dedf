import { join } from 'node:path';
import { ACCOUNT_ID } from './account.ts';
import { openCallers } from './callers.ts';
import { openCallLog } from './calls.ts';
import { openFolder } from './disk.ts';
import { openAccessControl } from './iam/access-control.ts';
import { recordAccess } from './iam/access-record.ts';
import type { EmbeddedAws } from './embedded-aws.ts';
import { openDynamo } from './dynamodb/index.ts';
import { openFaults } from './faults.ts';
import { openKms } from './kms/index.ts';
import { openLambda } from './lambda/index.ts';
import { openMail } from './mail/index.ts';
import { openS3 } from './s3/index.ts';
import { openSecrets } from './secrets/index.ts';
import { openSqs } from './sqs/index.ts';
import { openSts } from './sts.ts';
import { openEndpoint } from './wire/endpoint.ts';

export type { CallCounter } from './calls.ts';
export type { EmbeddedAws } from './embedded-aws.ts';
export type { AccountPolicies, Statement } from './iam/policy.ts';
export type { InvokeHandler, InvokeResult } from './lambda/invocation.ts';

export interface EmbeddedAwsOptions {
  /** Holds all state; one process at a time. */
  readonly dataFolder: string;
  readonly region?: string;
  /** Addresses and domains that may send mail; without it, anyone may. */
  readonly mailIdentities?: readonly string[];
  /** Whether recipients must be among them too, as they must in the sandbox of SES. */
  readonly mailSandbox?: boolean;
  /** Milliseconds before the first and the second retry of an event; a minute and two if omitted. */
  readonly eventRetryMs?: readonly number[];
}

const EVENT_RETRY_MS = [60_000, 120_000];
const SWEEP_EVERY_MS = 5 * 60_000;
const ENDPOINTS = ['DYNAMODB', 'S3', 'KMS', 'SECRETS_MANAGER', 'SESV2', 'LAMBDA', 'SQS', 'STS'];

/** @throws if another process has the data folder open */
export const startEmbeddedAws = async ({
  dataFolder,
  region = 'us-east-1',
  mailIdentities,
  mailSandbox = false,
  eventRetryMs = EVENT_RETRY_MS,
}: EmbeddedAwsOptions): Promise<EmbeddedAws> => {
  await openFolder(dataFolder);
  // DynamoDB comes first: its lock keeps a second process out of the whole folder.
  const dynamo = await openDynamo(join(dataFolder, 'dynamodb'), region);
  const s3 = await openS3(join(dataFolder, 's3'), region);
  const kms = await openKms(join(dataFolder, 'kms'), region);
  const secrets = await openSecrets(join(dataFolder, 'secrets'), region, kms);
  const outbox = join(dataFolder, 'outbox');
  const sqs = await openSqs(join(dataFolder, 'queues'), region);
  const lambda = await openLambda({
    folder: join(dataFolder, 'events'),
    region,
    queues: sqs.queues,
    retryAfterMs: eventRetryMs,
  });
  const mail = await openMail({
    outbox,
    region,
    identities: mailIdentities,
    sandbox: mailSandbox,
    publish: (functionName, event) =>
      lambda.events.accept({
        functionName,
        qualifier: undefined,
        payload: JSON.stringify(event),
      }),
  });
  const callers = openCallers();
  const sts = openSts(callers);
  const calls = openCallLog();
  const faults = openFaults();
  const access = openAccessControl();
  const services = [dynamo, s3, kms, secrets, mail, lambda, sqs, sts].map(({ service }) => service);
  let thawed = (_caller: string): Promise<void> => Promise.resolve();
  const endpoint = await openEndpoint({
    services,
    callers,
    calls,
    faults,
    access,
    thawed: (caller) => thawed(caller),
  });

  const sweep = async (now: number) =>
    (await dynamo.sweep(now)) +
    (await s3.sweep(now)) +
    (await sqs.queues.sweep(now)) +
    (await secrets.sweep(now));
  // A sweep that fails, for instance at a table that was just deleted, is made up for by the next one.
  const timer = setInterval(
    () => void sweep(Math.floor(Date.now() / 1000)).catch(() => 0),
    SWEEP_EVERY_MS,
  ).unref();

  return {
    environment: (caller) => {
      const { accessKeyId, secretAccessKey } = callers.keyOf(caller);
      return {
        ...Object.fromEntries(
          ENDPOINTS.map((name) => [
            `AWS_ENDPOINT_URL_${name}`,
            `http://127.0.0.1:${endpoint.port}`,
          ]),
        ),
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
      };
    },
    region,
    ports: [endpoint.port],
    faults,
    calls,
    enforce: access.enforce,
    uses: access.uses,
    takeDenials: access.takeDenials,
    keyArn: kms.arnOf,
    createTables: dynamo.createTables,
    loadItems: dynamo.load,
    lagIndexes: dynamo.lagIndexes,
    slowBatches: dynamo.slowBatches,
    isEmpty: dynamo.isEmpty,
    createBuckets: s3.createBuckets,
    createEncryptionKey: kms.createEncryptionKey,
    createSigningKey: kms.createSigningKey,
    createConfigurationSet: mail.createConfigurationSet,
    addRole: sts.addRole,
    assumed: sts.assumed,
    secrets: secrets.list,
    sweep,
    onInvoke: lambda.onInvoke,
    freezeCallers: (given) => {
      thawed = given;
    },
    configureEvents: lambda.events.configure,
    bringTwice: (isOn) => {
      lambda.events.bringTwice(isOn);
      sqs.queues.bringTwice(isOn);
    },
    resumeEvents: lambda.events.resume,
    eventsSettled: lambda.events.settled,
    pauseEvents: lambda.events.pause,
    createQueue: sqs.createQueue,
    queueUrl: (name) => `http://127.0.0.1:${endpoint.port}/${ACCOUNT_ID}/${name}`,
    queued: sqs.queues.list,
    close: async () => {
      clearInterval(timer);
      await lambda.events.pause(0);
      await endpoint.close();
      await dynamo.close();
      recordAccess(access);
    },
  };
};
