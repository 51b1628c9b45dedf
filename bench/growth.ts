/**
 * Whether a call takes longer where there is more: deployments, access tokens, tools of a deployment. The
 * router as it is deployed, in this process, on the embedded endpoints; a step of each ends within the
 * minute, so that there are 2,000 deployments where a stage may have ten thousand. What is compared is the
 * work of the router and the number of its calls to AWS: how DynamoDB itself grows is AWS's to answer.
 *
 * Goal: flat in deployments and tokens; in tools flat for a warm call.
 */
import { fingerprint } from '../layers/core/domain/fingerprint.ts';
import { dynamoAccessTokens } from '../layers/core/adapters/dynamodb/oauth/access-tokens.ts';
import { server as maintenanceServer } from '../lambdas/maintenance/server.ts';
import { wireMaintenance } from '../layers/core/wiring/maintenance.ts';
import { NOON } from '../test/adapters/dynamodb/fixtures.ts';
import { startRouter, type TestRouter } from '../test/support/router.ts';
import { tools } from '../test/support/router-tools.ts';
import { at, post, rpc } from '../test/support/router-events.ts';
import { anAccessToken, bearer } from '../test/support/router-tokens.ts';
import { environmentOf } from '../test/wiring/environments.ts';
import { median, ms, printTable, type Row } from './table.ts';

const DEPLOYMENTS = [10, 200, 2000] as const;
const TOKENS = [10, 300, 3000] as const;
const TOOLS = [10, 100, 1000] as const;
const CALLS = 200;

export const bench = async (): Promise<void> => {
  const router = await startRouter();
  try {
    await growDeployments(router);
    await growTokens(router);
    await growTools(router);
  } finally {
    await router.stop();
  }
};

const call = (router: TestRouter, slug: string, name = 'getPet', headers = {}) =>
  router.send(
    post(at(slug, '/messages'), rpc('tools/call', { name, arguments: { id: 7 } }), headers),
  );

/** @param ask - one call, by its number */
const measured = async (
  router: TestRouter,
  title: string,
  ask: (number: number) => ReturnType<typeof call>,
): Promise<Row> => {
  const took: number[] = [];
  const before = process.cpuUsage();
  router.store.aws.calls.reset();
  for (let number = 0; number < CALLS; number += 1) {
    const began = performance.now();
    const { statusCode, body } = await ask(number);
    took.push(performance.now() - began);
    if (statusCode !== 200 || body.includes('"error"')) throw new Error(body.slice(0, 500));
  }
  const asked = router.store.aws.calls.count({ caller: 'router' }) / CALLS;
  const { user, system } = process.cpuUsage(before);
  return [title, ms(median(took)), ms((user + system) / 1000 / CALLS), asked.toFixed(1)];
};

/** The processor time is that of the router with the stores and the target, which are in one process here. */
const COLUMNS = ['median', 'processor time', 'calls to AWS'];

const growDeployments = async (router: TestRouter): Promise<void> => {
  const rows: Row[] = [];
  let count = 0;
  for (const size of DEPLOYMENTS) {
    while (count < size) await router.publish(`deployment-${(count += 1)}`);
    rows.push(
      await measured(router, `${size}, one of them, warm`, () => call(router, 'deployment-1')),
    );
    // An instance that has seen none of them: the clock goes on, and what is remembered is read again.
    rows.push(
      await measured(router, `${size}, another each time`, (number) => {
        router.clock.time += 60;
        return call(router, `deployment-${((number * 7) % size) + 1}`);
      }),
    );
  }
  printTable('A call, by deployments of the stage', COLUMNS, rows);

  const ports = wireMaintenance(environmentOf(router.store, 'maintenance'));
  const maintain = maintenanceServer({ ...ports, log: { write: () => undefined } });
  const began = performance.now();
  await maintain({ operator: 'sweep' });
  console.log(`  a sweep of ${count} deployments: ${ms(performance.now() - began)}`);
};

const growTokens = async (router: TestRouter): Promise<void> => {
  router.clock.time = NOON;
  const access = { mode: 'any_user' } as const;
  const deployment = await router.publish('guarded', { authMethod: 'oauth', access });
  const token = await anAccessToken(router, deployment);
  const tokens = dynamoAccessTokens(router.store.instance(), router.store.tableName('oauth'));
  const known = await tokens.find(fingerprint(token));
  if (!known) throw new Error('the token is not there');
  const rows: Row[] = [];
  let count = 1;
  for (const size of TOKENS) {
    for (; count < size; count += 50) {
      const more = Array.from({ length: 50 }, (_, index) => fingerprint(`other-${count + index}`));
      await Promise.all(more.map((each) => tokens.put(each, known)));
    }
    rows.push(
      await measured(router, `${size}`, () => {
        router.clock.time += 1;
        return call(router, 'guarded', 'getPet', bearer(token));
      }),
    );
  }
  printTable('A call with an access token, by tokens of the stage', COLUMNS, rows);
};

const growTools = async (router: TestRouter): Promise<void> => {
  const rows: Row[] = [];
  for (const size of TOOLS) {
    const slug = `tools-${size}`;
    const [one, ...others] = tools(router.target.url);
    if (!one) throw new Error('there are no tools');
    const more = Array.from({ length: size - 1 - others.length }, (_, index) => ({
      ...one,
      name: `another${index}`,
      listed: one.listed.replace(`"${one.name}"`, `"another${index}"`),
    }));
    await router.publish(slug, {}, { tools: [one, ...others, ...more] });
    const first = await measured(router, `${size}, a call, warm`, () => call(router, slug));
    const list = await measured(router, `${size}, the list`, () =>
      router.send(post(at(slug, '/messages'), rpc('tools/list'))),
    );
    rows.push(first, list);
  }
  printTable('By tools of a deployment', COLUMNS, rows);
};
