import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buckets, QUEUES, tables } from '../../../lambdas/storage-manifest.ts';
import {
  type EmbeddedAws,
  type EmbeddedAwsOptions,
  startEmbeddedAws,
} from '../../../local/aws/index.ts';
import { localPolicies, type StoresInUse } from '../../../local/run/policies.ts';

/** What every client of the AWS SDK takes. */
export interface Connection {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts: number;
  /** As production asks S3, which the embedded one knows. */
  readonly requestChecksumCalculation: 'WHEN_REQUIRED';
  readonly responseChecksumValidation: 'WHEN_REQUIRED';
}

export interface TestAws {
  readonly aws: EmbeddedAws;
  readonly dataFolder: string;
  /** Tables are named so and as in the manifest: `tableName('limits')`. */
  readonly prefix: string;
  readonly tableName: (name: keyof typeof tables) => string;
  /** The bucket for descriptions. */
  readonly bucket: string;
  /** The bucket for what did not fit into results. */
  readonly answersBucket: string;
  /** Mails are sent with it; its events go to the function `mails`. */
  readonly mailConfigurationSet: string;
  /** Alias of the key that signs JWTs. */
  readonly signingKey: string;
  /** Alias of the key that signs minted tokens. */
  readonly mintingKey: string;
  /** Alias of the key that encrypts credentials. */
  readonly credentialsKey: string;
  /** Of a queue of failed work, by its name. */
  queueUrl(name: string): string;
  /** From now on functions may do what they may in a stage with these stores; `secrets-manager` at first. */
  enforce(stores: StoresInUse): void;
  /** An SDK client that acts for `caller` and does not retry: `aws.client(S3Client)`. */
  client<Client>(
    Constructor: new (connection: Connection) => Client & Closable,
    caller?: string,
  ): Client;
  /** Another one on the same folder, after `aws.close()`. */
  restart(): Promise<TestAws>;
  /** Ends it and deletes its folder. */
  stop(): Promise<void>;
}

interface Closable {
  destroy(): void;
}

/** What `MAIL_FROM` is. */
export const MAIL_FROM = 'hosted-mcp@example.com';
/** What `CREDENTIAL_PREFIX` is. */
export const CREDENTIAL_PREFIX = 'test';

/**
 * An embedded AWS of its own in a temporary folder, with all tables and buckets of the manifest. Functions
 * may do what the template allows them; `test`, and nobody else, may do everything.
 */
export const startTestAws = async (options: TestAwsOptions = {}): Promise<TestAws> =>
  startIn(await mkdtemp(join(tmpdir(), 'hosted-mcp-aws-')), options);

type TestAwsOptions = Omit<EmbeddedAwsOptions, 'dataFolder'>;

const startIn = async (dataFolder: string, options: TestAwsOptions): Promise<TestAws> => {
  const aws = await startEmbeddedAws({ ...options, dataFolder });
  const prefix = 'test-';
  const bucket = `${prefix}descriptions`;
  const answersBucket = `${prefix}answers`;
  const signingKey = 'alias/test-signing';
  const mintingKey = 'alias/test-minting';
  const credentialsKey = 'alias/test-credentials';
  await aws.createTables(tables, prefix);
  await aws.createBuckets(buckets, prefix);
  await aws.createSigningKey(signingKey);
  await aws.createSigningKey(mintingKey);
  await aws.createEncryptionKey(credentialsKey);
  for (const name of QUEUES) aws.createQueue(name);
  const mailConfigurationSet = 'test-mails';
  aws.createConfigurationSet(mailConfigurationSet, 'mails');
  const enforce = (stores: StoresInUse) =>
    aws.enforce(
      localPolicies(
        stores,
        {
          region: aws.region,
          prefix,
          credentialPrefix: CREDENTIAL_PREFIX,
          // The second of the stack: no test rotates this one.
          signingKeys: [aws.keyArn(signingKey), aws.keyArn(signingKey)],
          mintingKeys: [aws.keyArn(mintingKey), aws.keyArn(mintingKey)],
          credentialsKey: aws.keyArn(credentialsKey),
          mailFrom: MAIL_FROM,
          mailConfigurationSet,
        },
        ['test'],
      ),
    );
  enforce('secrets-manager');

  const clients: Closable[] = [];
  return {
    aws,
    dataFolder,
    prefix,
    tableName: (name) => `${prefix}${name}`,
    bucket,
    answersBucket,
    mailConfigurationSet,
    signingKey,
    mintingKey,
    credentialsKey,
    queueUrl: aws.queueUrl,
    enforce,
    client: (Constructor, caller = 'test') => {
      const client = new Constructor(connectionOf(aws, caller));
      clients.push(client);
      return client;
    },
    restart: () => startIn(dataFolder, options),
    stop: async () => {
      for (const client of clients) client.destroy();
      await aws.close();
      await rm(dataFolder, { recursive: true });
    },
  };
};

export const connectionOf = (aws: EmbeddedAws, caller: string): Connection => {
  const environment = aws.environment(caller);
  return {
    // All services share one endpoint.
    endpoint: environment['AWS_ENDPOINT_URL_DYNAMODB']!,
    region: environment['AWS_REGION']!,
    credentials: {
      accessKeyId: environment['AWS_ACCESS_KEY_ID']!,
      secretAccessKey: environment['AWS_SECRET_ACCESS_KEY']!,
    },
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
};
