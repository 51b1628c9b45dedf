/**
 * Whether a call takes longer where there is more: deployments, access tokens, tools of a deployment. The
 * router as it is deployed, in this process, on the embedded endpoints. One deployment and one token are
 * stored by the service; all others are copies of their items under other names, put past the endpoint. What
 * is compared is the work of the router and the number of its calls to AWS: how DynamoDB itself grows is AWS's
 * to answer.
 *
 * Goal: flat in deployments and tokens; in tools flat for a warm call.
 */
import { fingerprint } from '../layers/platform/rules/fingerprint.ts';
import { server as maintenanceServer } from '../layers/maintenance/routes/server.ts';
import { wireMaintenance } from '../lambdas/maintenance/wiring.ts';
import { DAY } from '../layers/platform/rules/time.ts';
import { NOON } from '../test/support/aws/dynamodb-fixtures.ts';
import { startRouter, type TestRouter } from '../test/support/mcp/router.ts';
import { tools } from '../test/support/mcp/router-tools.ts';
import { at, post, rpc } from '../test/support/mcp/router-events.ts';
import { anAccessToken, bearer } from '../test/support/mcp/router-tokens.ts';
import { environmentOf } from '../test/lambdas/wiring/environments.ts';
import { loadMore, templatesOf } from './many-items.ts';
import { median, ms, printTable, type Row } from './table.ts';

const DEPLOYMENTS = [10, 1000, 10_000] as const;
const TOKENS = [10, 10_000, 1_000_000] as const;
const TOOLS = [10, 100, 1000] as const;
const ROUNDS = 7;
const CALLS = 60;

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

/** Of the rounds that which the machine's other work disturbed least. */
const least = async (
  { store }: TestRouter,
  ask: (number: number) => Promise<unknown>,
  calls = CALLS,
): Promise<Row> => {
  const medians: number[] = [];
  const busy: number[] = [];
  let asked = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const took: number[] = [];
    store.aws.calls.reset();
    const before = process.cpuUsage();
    for (let number = 0; number < calls; number += 1) {
      const began = performance.now();
      await ask(round * calls + number);
      took.push(performance.now() - began);
    }
    const { user, system } = process.cpuUsage(before);
    medians.push(median(took));
    busy.push((user + system) / 1000 / calls);
    asked = (store.aws.calls.count() - store.aws.calls.count({ caller: 'test' })) / calls;
  }
  return ['', ms(Math.min(...medians)), ms(Math.min(...busy)), asked.toFixed(1)];
};

/** @param ask - one call, by its number */
const measured = async (
  router: TestRouter,
  title: string,
  ask: (number: number) => ReturnType<typeof call>,
): Promise<Row> => {
  const [, ...cells] = await least(router, async (number) => {
    const { statusCode, body } = await ask(number);
    if (statusCode !== 200 || body.includes('"error"')) throw new Error(body.slice(0, 500));
  });
  return [title, ...cells];
};

/** The processor time is that of the router with the stores and the target, which are in one process here. */
const COLUMNS = ['median', 'processor time', 'calls to AWS'];

const FIRST = 'deployment-0';

const growDeployments = async (router: TestRouter): Promise<void> => {
  await router.publish(FIRST, { ownerId: `owner-of-${FIRST}` });
  const templates = await templatesOf(router, ['deployments', 'deployment-content'], FIRST);
  // An owner with as many as a page holds, whatever else there is.
  for (let one = 0; one < 20; one += 1) {
    await router.publish(`mine-${one}`, { ownerId: 'collector', createdAt: NOON + one });
  }
  const { deploymentEditor } = router.owner;
  const maintain = maintenanceServer({
    ...wireMaintenance(environmentOf(router.store, 'maintenance')),
    log: { write: () => undefined },
  });
  const calls: Row[] = [];
  const sweeps: Row[] = [];
  let count = 1;
  for (const size of DEPLOYMENTS) {
    await loadMore(router, templates, { from: count, to: size }, (number) => [
      [FIRST, `deployment-${number}`],
    ]);
    count = size;
    calls.push(
      await measured(router, `${size}, one of them, warm`, () => call(router, 'deployment-1')),
    );
    // An instance that has seen none of them: the clock goes on, and what is remembered is read again.
    const another = await measured(router, `${size}, another each time`, (number) => {
      router.clock.time += 60;
      return call(router, `deployment-${(number * 7) % size}`);
    });
    calls.push(another);
    const [, ...page] = await least(router, async () => {
      const { items } = await deploymentEditor.listByOwner('collector', { limit: 20 });
      if (items.length !== 20) throw new Error(`a page of ${items.length}`);
    });
    calls.push([`${size}, twenty of an owner, listed`, ...page.slice(0, 2), '1.0']);
    // A check takes a minute where there are ten thousand: so many times as long as for a thousand.
    for (const operator of size > 1000 ? ['sweep'] : ['sweep', 'restore-check']) {
      sweeps.push(await maintained(router, `${size}, ${operator}`, () => maintain({ operator })));
    }
  }
  printTable('A call, by deployments of the stage', COLUMNS, calls);
  printTable('Maintenance, by deployments of the stage', ['time', 'scans', 'other calls'], sweeps);
};

const maintained = async (
  { store }: TestRouter,
  title: string,
  run: () => Promise<object>,
): Promise<Row> => {
  store.aws.calls.reset();
  const began = performance.now();
  const answer = await run();
  const took = performance.now() - began;
  const { ok, items = [] } = answer as { ok?: boolean; items?: readonly unknown[] };
  if (ok !== true || items.length > 0) throw new Error(JSON.stringify(answer).slice(0, 500));
  const scans = store.aws.calls.count({ caller: 'maintenance', operation: 'Scan' });
  return [title, ms(took), scans, store.aws.calls.count({ caller: 'maintenance' }) - scans];
};

const growTokens = async (router: TestRouter): Promise<void> => {
  router.clock.time = NOON;
  const access = { mode: 'any_user' } as const;
  const deployment = await router.publish('guarded', { authMethod: 'oauth', access });
  // The embedded table deletes in the meantime what has expired.
  const expiresAt = Math.floor(Date.now() / 1000) + 10 * DAY;
  const token = await anAccessToken(router, deployment, { userId: 'user-of-first', expiresAt });
  const first = fingerprint(token);
  const templates = await templatesOf(router, ['oauth'], first);
  const rows: Row[] = [];
  const began = performance.now();
  let count = 1;
  for (const size of TOKENS) {
    await loadMore(router, templates, { from: count, to: size }, (number) => [
      [first, fingerprint(`other-${number}`)],
      ['user-of-first', `user-${number}`],
    ]);
    count = size;
    rows.push(
      await measured(router, `${size}`, () => {
        // Within what a plan has for an hour.
        router.clock.time += 5;
        return call(router, 'guarded', 'getPet', bearer(token));
      }),
    );
  }
  const notes = [`stored and measured in ${ms(performance.now() - began)}`];
  printTable('A call with an access token, by tokens of the stage', COLUMNS, rows, notes);
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
