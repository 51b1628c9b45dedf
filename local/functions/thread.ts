import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { openLogFile } from './log-file.ts';
import type { FromThread, Invoke, ThreadData, ToThread } from './messages.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

/** Runs in the worker thread of one function, as the Lambda runtime runs around its handler. */

type Handler = (event: unknown, context: unknown) => unknown;
interface Entry {
  readonly start: (environment: NodeJS.ProcessEnv, options: unknown) => Handler | Promise<Handler>;
}

// Node has read it. Functions see nothing of the machine's environment.
delete process.env['NODE_COMPILE_CACHE'];

const { entry, functionName, memoryMb, timeoutMs, log, received } = workerData as ThreadData;
// The import begins at once, while the service still starts what the environment will name.
const importing: Promise<Entry> = import(entry);
let handler: Handler | undefined;

const start = async (environment: Readonly<Record<string, string>>, options: unknown) => {
  Object.assign(process.env, environment);
  const { start: startFunction } = await importing;
  handler = await startFunction(process.env, options);
};

const invoke = async (event: string): Promise<string> => {
  if (!handler) throw new Error('the function was not started');
  const deadline = performance.now() + timeoutMs;
  const result = JSON.stringify((await handler(parsedJson(event), context(deadline))) ?? null);
  if (performance.now() < deadline) return result;
  throw new Error(`it took longer than ${timeoutMs} ms`);
};

/** Context of an invocation. Source: Lambda, "Using the Lambda context object with Node.js". */
const context = (deadline: number) => ({
  functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: `${functionName}:live`,
  memoryLimitInMB: String(memoryMb),
  awsRequestId: randomUUID(),
  logGroupName: `/aws/lambda/${functionName}`,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => Math.max(0, deadline - performance.now()),
});

const send = (message: FromThread) => parentPort?.postMessage(message);

const LOGGED_MS = 20;
const file = log && openLogFile({ ...log, name: functionName });
const show = process.stderr.write.bind(process.stderr);
let telling: NodeJS.Timeout | undefined;

/** Writes to the file before it returns, so that lines precede the answer and no end of the thread loses them. */
const write = (chunk: string | Uint8Array): boolean => {
  file?.write(chunk);
  if (log?.isShown) show(chunk);
  telling ??= setTimeout(() => {
    telling = undefined;
    send({ type: 'logged' });
  }, LOGGED_MS).unref();
  return true;
};
process.stdout.write = write;
process.stderr.write = write;

const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** Logs an error that a handler lets through, as Lambda's runtime does. */
const report = (error: unknown) => {
  const stack = error instanceof Error ? error.stack?.split('\n') : [String(error)];
  const line = { level: 'error', event: 'invoke_error', function: functionName, stack };
  process.stderr.write(`${JSON.stringify(line)}\n`);
};

importing.catch(() => undefined);
parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'ping') return send({ type: 'pong' });
  if (message.type === 'start') {
    start(message.environment, message.options).then(
      () => send({ type: 'started' }),
      (error: unknown) => send({ type: 'not-started', reason: reasonOf(error) }),
    );
    return;
  }
  waiting.push(message);
  if (waiting.length === 1) setImmediate(beginNext);
});

const waiting: Invoke[] = [];

/** Begins one event per turn, so that running ones go on: if all began at once, all would wait for the last. */
const beginNext = () => {
  const { id, event } = waiting.shift()!;
  if (waiting.length > 0) setImmediate(beginNext);
  received[0] = id;
  invoke(event).then(
    (result) => send({ type: 'result', id, result }),
    (error: unknown) => {
      report(error);
      send({ type: 'error', id, reason: reasonOf(error) });
    },
  );
};
