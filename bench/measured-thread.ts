/** Runs one subject in a worker thread, whose processor time can be asked for. */
import { once } from 'node:events';
import { openSync, writeSync } from 'node:fs';
import { parentPort, Worker, workerData } from 'node:worker_threads';

export type Subject =
  | {
      readonly kind: 'router';
      readonly path: string;
      readonly environment: Readonly<Record<string, string>>;
      readonly options: object;
    }
  | {
      readonly kind: 'sdk-function';
      readonly targetUrl: string;
      /** Of the router: with it, each request is counted first, by the router's own store. */
      readonly environment?: Readonly<Record<string, string>>;
    };

type Order =
  | { readonly ask: 'cpu' }
  | { readonly ask: 'serve'; readonly body: string; readonly times: number };

export interface MeasuredThread extends AsyncDisposable {
  /** Milliseconds of processor time so far. */
  cpuMs(): Promise<number>;
  /** Carries a JSON-RPC body out so often, one after the other. @returns the last answer */
  serve(body: string, times: number): Promise<string>;
}

export const startMeasuredThread = async (subject: Subject): Promise<MeasuredThread> => {
  const worker = new Worker(new URL(import.meta.url), { workerData: subject, stdout: true });
  // A log that is never read would fill the memory.
  worker.stdout.resume();
  // Rejects if the thread ends with an error meanwhile.
  const answer = async () => (await once(worker, 'message'))[0];
  const ask = (order: Order) => {
    const answered = answer();
    worker.postMessage(order);
    return answered;
  };
  await answer();
  return {
    cpuMs: () => ask({ ask: 'cpu' }),
    serve: (body, times) => ask({ ask: 'serve', body, times }),
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
};

/** Makes one JSON-RPC body ready to be carried out again and again. */
type Prepare = (body: string) => () => Promise<string>;

/** As Lambda's runtime calls a handler: an event in, a result out, both as JSON. */
const router = async ({ path, environment, options }: Extract<Subject, { kind: 'router' }>) => {
  logAsOnLambda();
  const { start } = await import('../lambdas/router/index.ts');
  const handler = start(environment, options);
  const prepare: Prepare = (body) => {
    const http = { method: 'POST', path, sourceIp: '192.0.2.1' };
    const requestContext = { requestId: 'bench', http };
    const event = JSON.stringify({
      version: '2.0',
      rawPath: path,
      headers: headersOf(body),
      body,
      isBase64Encoded: false,
      requestContext,
    });
    return async () => JSON.stringify(await handler(JSON.parse(event)));
  };
  return prepare;
};

/** A line is written at once, as to Lambda's pipe; a worker's own output is posted to its parent. */
const logAsOnLambda = (): void => {
  const nowhere = openSync('/dev/null', 'w');
  process.stdout.write = (line: string | Uint8Array) => writeSync(nowhere, line as string) > 0;
};

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-03-26',
  host: 'localhost',
};

/** With those that belong to a request of 2026-07-28. */
const headersOf = (body: string): Readonly<Record<string, string>> => {
  const { method, params } = JSON.parse(body);
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  if (version === undefined) return HEADERS;
  const named = params.name === undefined ? {} : { 'mcp-name': params.name };
  return { ...HEADERS, 'mcp-protocol-version': version, 'mcp-method': method, ...named };
};

/** The SDK in a function: what it needs is made of the event, and its response made into a result. */
const sdkFunction = async ({
  targetUrl,
  environment,
}: Extract<Subject, { kind: 'sdk-function' }>): Promise<Prepare> => {
  const { bareServer } = await import('./sdk-server.ts');
  const serve = bareServer(targetUrl);
  const { counting } = await import('./counting.ts');
  const count = environment && counting(environment);
  return (text) => {
    const event = JSON.stringify({ headers: headersOf(text), body: text });
    return async () => {
      const { headers, body } = JSON.parse(event);
      await count?.();
      const response = await serve(
        new Request('http://localhost/mcp', { method: 'POST', headers, body }),
      );
      return JSON.stringify({
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      });
    };
  };
};

const obey = async (prepare: Prepare, order: Order): Promise<unknown> => {
  if (order.ask === 'cpu') {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  }
  const serve = prepare(order.body);
  let answer = '';
  for (let time = 0; time < order.times; time += 1) answer = await serve();
  return answer;
};

if (parentPort) {
  const port = parentPort;
  const subject: Subject = workerData;
  const prepare = subject.kind === 'router' ? await router(subject) : await sdkFunction(subject);
  port.on('message', async (order: Order) => port.postMessage(await obey(prepare, order)));
  port.postMessage('ready');
}
