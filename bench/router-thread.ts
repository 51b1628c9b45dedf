/** The router in a thread of its own, whose processor time is nobody else's. */
import { openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { start } from '../lambdas/router/index.ts';

const { environment, options } = workerData;
const handler = start(environment, options);

// A line is written at once, as to Lambda's pipe; a worker's own output is posted to its parent.
const nowhere = openSync('/dev/null', 'w');
process.stdout.write = (line: string | Uint8Array) => writeSync(nowhere, line as string) > 0;

/** Answers an event so often, one after the other, each read and written as JSON, as Lambda's runtime does. */
parentPort?.on('message', async ({ event, times }: { event: string; times: number }) => {
  const before = process.threadCpuUsage();
  let answer = '';
  for (let time = 0; time < times; time += 1) {
    answer = JSON.stringify(await handler(JSON.parse(event)));
  }
  const { user, system } = process.threadCpuUsage(before);
  parentPort?.postMessage({ answer, cpuMs: (user + system) / 1000 / times });
});
