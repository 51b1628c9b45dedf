/**
 * Processor time that the router's thread takes for a call of a tool and for a list, event in and result out, as Lambda
 * calls it: it reads the deployment, counts the request in DynamoDB, checks the arguments, builds the request, guards the
 * address, logs. The deployment is public; a token is one call to AWS more.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startRouter } from '../test/support/mcp/router.ts';
import { at, post, rpc } from '../test/support/mcp/router-events.ts';
import { environmentOf } from '../test/lambdas/wiring/environments.ts';
import { median, ms, printTable, type Row } from './table.ts';

const WARM_UP = 500;
const ROUNDS = 7;
const CALLS_PER_ROUND = 100;

const CALL = rpc('tools/call', {
  name: 'getPet',
  arguments: { id: 7, verbose: true, tag: 'dog' },
});

export const bench = async (): Promise<void> => {
  const rows: Row[] = [];
  for (const [title, sent, expected] of [
    ['tools/call', CALL, '/echo/pets/7'],
    ['tools/list', rpc('tools/list'), 'getPet'],
  ] as const) {
    const rounds = await measured(sent, expected);
    rows.push([title, ms(Math.min(...rounds)), ms(median(rounds))]);
  }
  printTable('Processor time per request', ['least', 'median'], rows);
};

/** Milliseconds for a call of a tool: the median round. */
export const routerCpuMs = async (): Promise<number> =>
  median(await measured(CALL, '/echo/pets/7'));

const measured = async (sent: object, expected: string): Promise<readonly number[]> => {
  const { store, publish, stop } = await startRouter();
  await publish('measured');
  const limits = { public_requests_per_minute_per_ip: 1_000_000 };
  const environment = { ...environmentOf(store, 'router'), LIMITS: JSON.stringify(limits) };
  const options = { targets: { loopback: { exceptPorts: store.aws.ports } } };
  const worker = new Worker(new URL('router-thread.ts', import.meta.url), {
    workerData: { environment, options },
  });
  const event = JSON.stringify(post(at('measured', '/messages'), sent));
  const cpuMsOf = async (times: number): Promise<number> => {
    worker.postMessage({ event, times });
    const [{ answer, cpuMs }] = await once(worker, 'message');
    // A benchmark of errors would be fast.
    if (!answer.includes(expected)) throw new Error(`it was not answered: ${answer}`);
    return cpuMs;
  };
  try {
    await cpuMsOf(WARM_UP);
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await cpuMsOf(CALLS_PER_ROUND));
    return rounds;
  } finally {
    await worker.terminate();
    await stop();
  }
};
