import { join } from 'node:path';
import type { ExpiryManifest, TableManifest } from '../../lambdas/storage-manifest.ts';
import { openCallers } from './callers.ts';
import { type CallCounter, openCallLog } from './calls.ts';
import { openFolder } from './disk.ts';
import { type Denial, openAccessControl, type Use } from './iam/access-control.ts';
import { recordAccess } from './iam/access-record.ts';
import type { AccountPolicies } from './iam/policy.ts';
import { openDynamo } from './dynamodb/index.ts';
import { type FaultInjector, openFaults } from './faults.ts';
import { openKms } from './kms/index.ts';
import type { EventSettings } from './lambda/events.ts';
import { openLambda } from './lambda/index.ts';
import type { InvokeHandler } from './lambda/invocation.ts';
import { openMail } from './mail/index.ts';
import { openQueues } from './queues.ts';
import { openS3 } from './s3/index.ts';
import { type DescribedSecret, openSecrets } from './secrets/index.ts';
import { openEndpoint } from './wire/endpoint.ts';

export type { Call, CallCounter } from './calls.ts';
export type { Fault, FaultInjector } from './faults.ts';
export type { Denial, Use } from './iam/access-control.ts';
export type { AccountPolicies, Statement } from './iam/policy.ts';
export type { InvokeHandler, InvokeResult } from './lambda/invocation.ts';

export interface EmbeddedAws {
  /**
   * What the AWS SDK reads: endpoint per service, region, and an access key of the caller's own. Give it to
   * nobody else: the key is how the endpoints know who calls.
   *
   * @param caller - the function's name
   */
  environment(caller: string): Record<string, string>;
  readonly region: string;
  readonly ports: readonly number[];
  readonly faults: FaultInjector;
  readonly calls: CallCounter;
  /** From now on callers may do what these policies allow; before, everybody may do everything. */
  enforce(policies: AccountPolicies): void;
  /** Statements that have allowed something so far. */
  uses(): readonly Use[];
  /** What was denied so far; it is forgotten with this, as something that was meant to be denied. */
  takeDenials(): readonly Denial[];
  /** @throws AwsError if there is no such key */
  keyArn(alias: string): string;
  /** Creates those that do not exist yet, under `prefix` and their name in the manifest. */
  createTables(tables: Readonly<Record<string, TableManifest>>, prefix: string): Promise<void>;
  /** Nothing new if it exists; `expires` holds from now on. */
  createBucket(name: string, expires?: readonly ExpiryManifest[]): Promise<void>;
  /** A symmetric key under an alias. Does nothing if it exists. */
  createEncryptionKey(alias: string): Promise<void>;
  /** A P-256 key for ES256 under an alias. Does nothing if it exists. */
  createSigningKey(alias: string): Promise<void>;
  /** What mails are sent with whose bounces and complaints a function is invoked with. */
  createConfigurationSet(name: string, functionName: string): void;
  /** What Secrets Manager holds, without the values and without what is marked for deletion. */
  secrets(): readonly DescribedSecret[];
  /**
   * Deletes expired items, objects and secrets now; it also happens every few minutes.
   *
   * @param now - epoch seconds @returns how many were deleted
   */
  sweep(now: number): Promise<number>;
  /** Where Lambda's Invoke goes; until it is called, no function exists. @param exists - all do if omitted */
  onInvoke(handler: InvokeHandler, exists?: (functionName: string) => boolean): void;
  /** Until it is called, every caller runs. @param thawed - resolves once the function of that name does */
  freezeCallers(thawed: (functionName: string) => Promise<void>): void;
  /** How a function is invoked by events that nobody waits for. */
  configureEvents(functionName: string, settings: EventSettings): void;
  /** Invokes functions with the events that an earlier process has left. */
  resumeEvents(): Promise<void>;
  /** Resolves when all events accepted so far are done, retries included. */
  eventsSettled(): Promise<void>;
  /** Begins no more invocations by events: what is left waits for the next process. @param graceMs - for those at work */
  pauseEvents(graceMs: number): Promise<void>;
  /** Messages that a queue keeps, the oldest first. */
  queued(queue: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

export interface EmbeddedAwsOptions {
  /** Holds all state; one process at a time. */
  readonly dataFolder: string;
  /** `us-east-1` if not given. */
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
const ENDPOINTS = ['DYNAMODB', 'S3', 'KMS', 'SECRETS_MANAGER', 'SESV2', 'LAMBDA'];

/** @throws if another process has the data folder open */
export const startEmbeddedAws = async ({
  dataFolder,
  region = 'us-east-1',
  mailIdentities,
  mailSandbox = false,
  eventRetryMs = EVENT_RETRY_MS,
}: EmbeddedAwsOptions): Promise<EmbeddedAws> => {
  await openFolder(dataFolder);
  // Its lock keeps a second process out of the whole folder, so it comes first.
  const dynamo = await openDynamo(join(dataFolder, 'dynamodb'), region);
  const s3 = await openS3(join(dataFolder, 's3'), region);
  const kms = await openKms(join(dataFolder, 'kms'), region);
  const secrets = await openSecrets(join(dataFolder, 'secrets'), region, kms);
  const outbox = join(dataFolder, 'outbox');
  const queues = await openQueues(join(dataFolder, 'queues'));
  const lambda = await openLambda({
    folder: join(dataFolder, 'events'),
    region,
    queues,
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
  const calls = openCallLog();
  const faults = openFaults();
  const access = openAccessControl();
  const services = [
    dynamo.service,
    s3.service,
    kms.service,
    secrets.service,
    mail.service,
    lambda.service,
  ];
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
    (await queues.sweep(now)) +
    (await secrets.sweep(now));
  // What a sweep could not delete, a table just deleted for one, the next one finds or forgets.
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
    createBucket: s3.createBucket,
    createEncryptionKey: kms.createEncryptionKey,
    createSigningKey: kms.createSigningKey,
    createConfigurationSet: mail.createConfigurationSet,
    secrets: secrets.list,
    sweep,
    onInvoke: lambda.onInvoke,
    freezeCallers: (given) => {
      thawed = given;
    },
    configureEvents: lambda.events.configure,
    resumeEvents: lambda.events.resume,
    eventsSettled: lambda.events.settled,
    pauseEvents: lambda.events.pause,
    queued: queues.list,
    close: async () => {
      clearInterval(timer);
      await lambda.events.pause(0);
      await endpoint.close();
      await dynamo.close();
      recordAccess(access);
    },
  };
};
