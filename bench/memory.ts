/**
 * The most memory that each function has held, beside what it is given: its bundle, as it is deployed, in a
 * process of its own against the runtime API of Lambda, with the heaviest of its work: descriptions of 5 MB,
 * more of them than the router keeps, and answers of the greatest size. AWS's own runtime adds some megabytes.
 *
 * Goal: three quarters of what it is given.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type FunctionName, functions } from '../lambdas/manifest.ts';
import { bundle } from '../lib/bundle/index.ts';
import { startTestAws } from '../test/support/aws/aws.ts';
import { type RunningLambda, startLambda, withLoopback } from '../test/support/aws/lambda.ts';
import { CALL, SEARCH } from '../layers/search/tool-names.ts';
import { at, get, post, rpc } from '../test/support/mcp/router-events.ts';
import { anHttpServer } from '../test/support/target/target-server.ts';
import { environmentOf } from '../test/lambdas/wiring/environments.ts';
import { largeDescription } from './large-description.ts';
import { mb, printTable, type Row } from './table.ts';

export const bench = async (): Promise<void> => {
  const rows = Object.entries(await peaks()).map(([name, peak]): Row => {
    const given = functions[name as FunctionName].memoryMb * 1024 * 1024;
    return [name, mb(peak), mb(given), `${((100 * peak) / given).toFixed(0)} %`];
  });
  printTable('Memory of functions', ['most', 'given', ''], rows, ['goal: at most 75 %']);
};

/** The most bytes that each function has held. */
export const peaks = async (): Promise<Readonly<Record<string, number>>> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const aws = await startTestAws();
  await using target = await anHttpServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER),
  );
  const running = new Map<FunctionName, RunningLambda>();
  try {
    const bundles = await bundle(folder, join(folder, 'layer'));
    for (const name of Object.keys(functions) as FunctionName[]) {
      const environment = {
        ...environmentOf(aws, name),
        BASE_URL: 'https://mcp.example.com/v1',
        LIMITS: '{"public_requests_per_minute_per_ip": 1000000, "endpoints_per_deployment": 1000}',
      };
      const settings = { name, ...functions[name] };
      const entry =
        name === 'router' || name === 'management'
          ? await withLoopback(bundles.functions[name])
          : bundles.functions[name];
      running.set(name, await startLambda(entry, environment, settings));
    }
    const invoke = (name: FunctionName, event: unknown) => running.get(name)?.invoke(event);
    await work(invoke, target.url);
    return Object.fromEntries([...running].map(([name, lambda]) => [name, lambda.peakBytes()]));
  } finally {
    for (const lambda of running.values()) lambda.close();
    await aws.stop();
    await rm(folder, { recursive: true });
  }
};

/** The largest answer that a call takes (`target_response_max_bytes`). */
const ANSWER = JSON.stringify({
  items: Array.from({ length: 13_000 }, (_, id) => ({ id, text: 'an item '.repeat(36) })),
});

/** More of the largest than the router keeps, so that it reads them again and again; half of them in search mode. */
const DEPLOYMENTS = 6;

const ACCOUNTS = '/v1/mcp-management';

const work = async (
  invoke: (name: FunctionName, event: unknown) => Promise<unknown> | undefined,
  targetUrl: string,
): Promise<void> => {
  const big = largeDescription(478, targetUrl);
  const slugs = Array.from(
    { length: DEPLOYMENTS },
    (_, at) => `${at < 3 ? 'search' : 'large'}-${at}`,
  );
  for (const slug of slugs) {
    const mode = slug.startsWith('search') ? { toolMode: 'search' } : {};
    const published = { operator: 'publish', ownerId: 'bench', slug, authMethod: 'none', ...mode };
    const answer = await invoke('management', { ...published, openapi: big });
    if ((answer as { ok?: boolean }).ok !== true) throw new Error(JSON.stringify(answer));
  }
  const tool = { name: 'putThing7', arguments: { id: '7', field0: 7, field1: true } };
  const bodies = {
    large: [rpc('tools/list'), rpc('tools/call', tool)],
    search: [
      rpc('tools/call', { name: SEARCH, arguments: { query: 'put thing' } }),
      rpc('tools/call', {
        name: CALL,
        arguments: tool,
      }),
    ],
  };
  for (let count = 0; count < 4; count += 1) {
    for (const slug of slugs) {
      const [first, call] = slug.startsWith('search') ? bodies.search : bodies.large;
      await invoke('router', post(at(slug, '/messages'), first));
      const answer = await invoke('router', post(at(slug, '/messages'), call));
      if (!JSON.stringify(answer).includes('an item')) throw new Error(JSON.stringify(answer));
    }
  }
  const account = { email: 'ada@example.com', password: 'a password of some length' };
  await invoke('oauth', { operator: 'provision-account', plan: 'pro', name: 'Ada', ...account });
  for (let count = 0; count < 8; count += 1) {
    await invoke('oauth', post(`${ACCOUNTS}/sessions`, account));
  }
  await invoke('mails', { id: 'one', purpose: 'sign_up', email: 'ada@example.com' });
  await invoke('maintenance', { operator: 'sweep' });
  await invoke('activity', logEvent(2000));
  await invoke('tally', { tally: 'now' });
  await invoke('console', get('/v1/console/servers'));
  // Somebody whose tokens nobody has asked for yet, and whose client is in no store.
  await invoke('connections', {
    deployment_id: 'dep-1',
    owner_id: 'user-1',
    name: 'main',
    version: '00000000-0000-4000-8000-000000000000',
    kind: 'oauth_client',
    instance: 'router-1',
    caller: { user: 'user-1', ip: '192.0.2.1', request_id: 'request-1' },
  });
};

const logEvent = (count: number) => {
  const call = {
    message: 'tool_call',
    at: 1_795_176_000,
    deployment_id: 'dep-1',
    version: 1,
    tool: 'getItem',
    outcome: 'ok',
    index: 0,
    duration_ms: 300,
    subject: 'user-1',
    ip: '192.0.2.1',
  };
  const message = {
    messageType: 'DATA_MESSAGE',
    logStream: 'stream',
    logEvents: Array.from({ length: count }, (_, index) => ({
      message: JSON.stringify({ ...call, request_id: `request-${index}` }),
    })),
  };
  return { awslogs: { data: gzipSync(JSON.stringify(message)).toString('base64') } };
};
