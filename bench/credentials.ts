import { server } from '../lambdas/credentials/server.ts';
import { dynamoClient } from '../layers/core/adapters/dynamodb/table/client.ts';
import { dynamoEvents } from '../layers/core/adapters/dynamodb/activity/events.ts';
import { lambdaCredentialBroker } from '../layers/core/adapters/lambda/credential-broker.ts';
import { cachedCredentials } from '../layers/core/adapters/lambda/cached-credentials.ts';
import { wireCredentials } from '../layers/core/wiring/credentials.ts';
import { wireManagement } from '../layers/core/wiring/management.ts';
import { connectionOf, startTestAws, type TestAws } from '../test/support/aws.ts';
import { environmentOf } from '../test/wiring/environments.ts';

const INSTANCES = 1000;
const IN_FLIGHT = 50;
const MINUTE = 60;
const NOON = 1_795_176_000;
const CALLER = { user: 'user-2', ip: '192.0.2.7', requestId: 'request-1' };
const NO_LOG = { write: () => undefined };

/** A deployment's credential, and the broker that gives it out, on the embedded AWS. */
const prepared = async (aws: TestAws, clock: { now(): number; elapsedMs(): number }) => {
  const { random, credentialVault } = wireManagement(environmentOf(aws, 'management'));
  const ref = { deploymentId: random.id(), ownerId: 'user-1', version: random.id() };
  await credentialVault.put(ref, { type: 'bearer', token: 'a token', origins: [] }, undefined);
  const wired = wireCredentials(environmentOf(aws, 'credentials'));
  const dynamo = dynamoClient(connectionOf(aws.aws, 'credentials'));
  const noLog = { clock, log: NO_LOG, random };
  const events = dynamoEvents(noLog, dynamo, aws.tableName('security-events'), 90);
  const answer = server({ ...wired, clock, log: NO_LOG, events });
  aws.aws.onInvoke(async (_name, payload) => ({
    payload: JSON.stringify(await answer(JSON.parse(payload))),
  }));
  const access = connectionOf(aws.aws, 'router');
  return {
    ref,
    brokerFor: (instance: string) => lambdaCredentialBroker(access, 'credentials:live', instance),
  };
};

/** Instances of the router that have just started, each with memory and connections of its own. */
export const fleet = async () => {
  const aws = await startTestAws();
  try {
    const clock = { now: () => NOON, elapsedMs: () => 0 };
    const { ref, brokerFor } = await prepared(aws, clock);
    let [next, failed] = [0, 0];
    const began = performance.now();
    const starting = async (): Promise<void> => {
      for (let number = next; number < INSTANCES; number = next) {
        next += 1;
        const credentials = cachedCredentials(brokerFor(`router-${number}`), {
          clock,
          log: NO_LOG,
        });
        await credentials.find(ref, CALLER).catch(() => (failed += 1));
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, starting));
    return { instances: INSTANCES, failed, tookMs: performance.now() - began };
  } finally {
    await aws.stop();
  }
};

/** An instance that remembers nothing and asks again and again, for two minutes of its clock. */
export const loop = async () => {
  const aws = await startTestAws();
  try {
    let now = NOON;
    const { ref, brokerFor } = await prepared(aws, { now: () => now, elapsedMs: () => 0 });
    const broker = brokerFor('router-1');
    const minutes: { readonly asked: number; readonly given: number }[] = [];
    for (let minute = 0; minute < 2; minute += 1) {
      let given = 0;
      for (let asked = 0; asked < 6; asked += 1) {
        const got = await broker.fetch(ref, CALLER).then(
          () => 1,
          () => 0,
        );
        given += got;
      }
      minutes.push({ asked: 6, given });
      now += MINUTE;
    }
    return minutes;
  } finally {
    await aws.stop();
  }
};
