/**
 * The most memory that each function has held, beside what it is given: its bundle, as it is deployed, in a
 * process of its own against the runtime API of Lambda, with the heaviest of its work. AWS's own runtime
 * adds some megabytes.
 *
 * Goal: two thirds of what it is given: a description may have 5 MB, and these have 3.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type FunctionName, functions } from '../lambdas/manifest.ts';
import { bundle } from '../lib/bundle/index.ts';
import { startTestAws } from '../test/support/aws.ts';
import { type RunningLambda, startLambda } from '../test/support/lambda.ts';
import { at, post, rpc } from '../test/support/router-events.ts';
import { environmentOf } from '../test/wiring/environments.ts';
import { largeDescription } from './large-description.ts';
import { mb, printTable, type Row } from './table.ts';

export const bench = async (): Promise<void> => {
  const rows = Object.entries(await peaks()).map(([name, peak]): Row => {
    const given = functions[name as FunctionName].memoryMb * 1024 * 1024;
    return [name, mb(peak), mb(given), `${((100 * peak) / given).toFixed(0)} %`];
  });
  printTable('Memory of functions', ['most', 'given', ''], rows, ['goal: at most 67 %']);
};

/** The most bytes that each function has held. */
export const peaks = async (): Promise<Readonly<Record<string, number>>> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const aws = await startTestAws();
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
      running.set(name, await startLambda(bundles.functions[name], environment, settings));
    }
    const invoke = (name: FunctionName, event: unknown) => running.get(name)?.invoke(event);
    await work(invoke);
    return Object.fromEntries([...running].map(([name, lambda]) => [name, lambda.peakBytes()]));
  } finally {
    for (const lambda of running.values()) lambda.close();
    await aws.stop();
    await rm(folder, { recursive: true });
  }
};

const ACCOUNTS = '/v1/mcp-management';

const work = async (
  invoke: (name: FunctionName, event: unknown) => Promise<unknown> | undefined,
): Promise<void> => {
  const big = largeDescription();
  for (const slug of ['large', 'larger']) {
    const published = { operator: 'publish', ownerId: 'bench', slug, authMethod: 'none' };
    const answer = await invoke('management', { ...published, openapi: big });
    if ((answer as { ok?: boolean }).ok !== true) throw new Error(JSON.stringify(answer));
  }
  for (let count = 0; count < 50; count += 1) {
    for (const slug of ['large', 'larger']) {
      await invoke('router', post(at(slug, '/messages'), rpc('tools/list')));
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
