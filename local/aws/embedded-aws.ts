import type { CallCounter } from './calls.ts';
import type { EmbeddedDynamo } from './dynamodb/index.ts';
import type { FaultInjector } from './faults.ts';
import type { AccessControl } from './iam/access-control.ts';
import type { EmbeddedKms } from './kms/index.ts';
import type { Events } from './lambda/events.ts';
import type { EmbeddedLambda } from './lambda/index.ts';
import type { EmbeddedMail } from './mail/index.ts';
import type { EmbeddedS3 } from './s3/index.ts';
import type { EmbeddedSecrets } from './secrets/index.ts';
import type { EmbeddedSqs } from './sqs/index.ts';
import type { Queues } from './sqs/queues.ts';
import type { EmbeddedSts } from './sts.ts';

/** An AWS account on this machine: what its owner may see and set besides the endpoints. */
export interface EmbeddedAws
  extends
    Pick<AccessControl, 'enforce' | 'takeDenials' | 'uses'>,
    Pick<EmbeddedDynamo, 'createTables' | 'isEmpty' | 'lagIndexes' | 'slowBatches'>,
    Pick<EmbeddedKms, 'createEncryptionKey' | 'createSigningKey'>,
    Pick<EmbeddedLambda, 'onInvoke'>,
    Pick<EmbeddedMail, 'createConfigurationSet'>,
    Pick<EmbeddedS3, 'createBuckets'>,
    Pick<EmbeddedSqs, 'createQueue'>,
    Pick<EmbeddedSts, 'addRole' | 'assumed'> {
  /**
   * Variables that the AWS SDK reads: endpoint per service, region, and an access key of the caller's own. Give
   * them to nobody else: by the key, the endpoints know who calls.
   * @param caller - name of the function
   */
  environment(caller: string): Record<string, string>;
  readonly region: string;
  readonly ports: readonly number[];
  readonly faults: FaultInjector;
  readonly calls: CallCounter;
  readonly keyArn: EmbeddedKms['arnOf'];
  /** For measurements only: no function can do it. */
  readonly loadItems: EmbeddedDynamo['load'];
  readonly secrets: EmbeddedSecrets['list'];
  /** Deletes what has expired, as a timer also does. @param now - epoch seconds @returns how many were deleted */
  sweep(now: number): Promise<number>;
  /** Holds calls of functions that Lambda would have frozen. @param thawed - resolves once the function runs */
  freezeCallers(thawed: (functionName: string) => Promise<void>): void;
  readonly configureEvents: Events['configure'];
  readonly resumeEvents: Events['resume'];
  readonly eventsSettled: Events['settled'];
  readonly pauseEvents: Events['pause'];
  /** Makes events and queue messages come twice and in another order, as AWS may bring them. Off at first. */
  bringTwice(isOn: boolean): void;
  queueUrl(name: string): string;
  readonly queued: Queues['list'];
  close(): Promise<void>;
}
