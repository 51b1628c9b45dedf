import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ThreadData, ToThread } from './messages.ts';

/** Runs in the worker thread of one function, as the Lambda runtime runs around its handler. */

type Handler = (event: unknown, context: unknown) => unknown;
interface Entry {
  readonly start: (environment: NodeJS.ProcessEnv, options: unknown) => Handler | Promise<Handler>;
}

// Node has read it. Functions have nothing of the machine's environment.
delete process.env['NODE_COMPILE_CACHE'];

const { entry, functionName, memoryMb, timeoutMs } = workerData as ThreadData;
// At once, while the service still starts what the function's environment will name.
const importing: Promise<Entry> = import(entry);
let handler: Handler | undefined;

const start = async (environment: Readonly<Record<string, string>>, options: unknown) => {
  Object.assign(process.env, environment);
  const { start: startFunction } = await importing;
  handler = await startFunction(process.env, options);
};

const invoke = async (event: string): Promise<string> => {
  if (!handler) throw new Error('the function was not started');
  return JSON.stringify((await handler(JSON.parse(event), context())) ?? null);
};

/** Source: Lambda, "Using the Lambda context object with Node.js". */
const context = () => {
  const deadline = performance.now() + timeoutMs;
  return {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: String(memoryMb),
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - performance.now()),
  };
};

const send = (message: FromThread) => parentPort?.postMessage(message);

// By the way that results take: a stream of its own could bring it later than they come.
process.stdout.write = (chunk: string | Uint8Array): boolean => {
  send({ type: 'output', chunk: Buffer.from(chunk as string) });
  return true;
};

const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** As the runtime logs an error that a handler lets through. */
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
  const { id, event } = message;
  send({ type: 'received', id });
  invoke(event).then(
    (result) => send({ type: 'result', id, result }),
    (error: unknown) => {
      report(error);
      send({ type: 'error', id, reason: reasonOf(error) });
    },
  );
});
