import type { AssumableRole, AssumedRole } from './sts.ts';
import type { BucketManifest, TableManifest } from '../../lambdas/storage-manifest.ts';
import type { CallCounter } from './calls.ts';
import type { FaultInjector } from './faults.ts';
import type { Denial, Use } from './iam/access-control.ts';
import type { AccountPolicies } from './iam/policy.ts';
import type { EventSettings } from './lambda/events.ts';
import type { InvokeHandler } from './lambda/invocation.ts';
import type { DescribedSecret } from './secrets/index.ts';

/** An AWS account on this machine: what its owner may see and set, past the endpoints. */
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
  /**
   * Puts items of a table past its endpoint, thousands at once and unchecked, as an import does. For
   * measurements: no function can.
   *
   * @param items - as they travel: `{ "pk": { "S": "..." } }`, and bytes in base64
   */
  loadItems(table: string, items: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
  /**
   * From now on the indexes of all tables show what they show now, as those of DynamoDB may for a while.
   *
   * @returns lets them follow
   */
  lagIndexes(): () => Promise<void>;
  isEmpty(table: string): Promise<boolean>;
  /** Creates those that do not exist yet, as tables; when their objects expire holds from now on. */
  createBuckets(
    buckets: Readonly<Record<string, Pick<BucketManifest, 'expiresAfterDays'>>>,
    prefix: string,
  ): Promise<void>;
  /** A symmetric key under an alias. Does nothing if it exists. */
  createEncryptionKey(alias: string): Promise<void>;
  /** A P-256 key for ES256 under an alias. Does nothing if it exists. */
  createSigningKey(alias: string): Promise<void>;
  /** What mails are sent with whose bounces and complaints a function is invoked with. */
  createConfigurationSet(name: string, functionName: string): void;
  /** A role that callers may assume whom its trust policy names. */
  addRole(role: AssumableRole): void;
  /** All keys that STS has given for roles. */
  assumed(): readonly AssumedRole[];
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
  configureEvents(functionName: string, settings: EventSettings): void;
  /** Invokes functions with the events that an earlier process has left. */
  resumeEvents(): Promise<void>;
  /** Resolves when all events accepted so far are done, retries included. */
  eventsSettled(): Promise<void>;
  /** Begins no more invocations by events: what is left waits for the next process. @param graceMs - for those at work */
  pauseEvents(graceMs: number): Promise<void>;
  /**
   * Whether events and messages of queues come as AWS may bring them: twice, in any order, and messages once more after
   * they were deleted. Off at first.
   */
  bringTwice(isOn: boolean): void;
  /** Does nothing if it exists. */
  createQueue(name: string): void;
  queueUrl(name: string): string;
  /** Messages that a queue keeps, the oldest first. */
  queued(queue: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}
