import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '../target/listening.ts';

export interface RuntimeApi {
  /** For `AWS_LAMBDA_RUNTIME_API`: host and port. */
  readonly address: string;
  /** Resolves when the runtime asks for its first event; rejects when the function could not be loaded. */
  readonly ready: Promise<void>;
  /** @returns what the handler returned. @throws Error when the handler threw, or the runtime ended */
  invoke(event: unknown): Promise<unknown>;
  /** The runtime has ended: whoever waits hears of it. */
  ended(why: string): void;
  close(): Promise<void>;
}

/** What a function returns at most. Source: AWS Lambda, "Lambda quotas". */
const MOST_BYTES = 6_291_556;

const FUNCTION_ARN = 'arn:aws:lambda:eu-central-1:111122223333:function:seam:live';

interface Invocation {
  readonly id: string;
  readonly event: unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What Lambda says to a runtime. Source: AWS Lambda, "Using the Lambda runtime API for custom runtimes". */
export const startRuntimeApi = async (timeoutSeconds: number): Promise<RuntimeApi> => {
  const waiting: Invocation[] = [];
  const running = new Map<string, Invocation>();
  const idle: ServerResponse[] = [];
  let count = 0;
  let loaded: () => void;
  let failed: (error: Error) => void;
  const ready = new Promise<void>((resolve, reject) => {
    [loaded, failed] = [resolve, reject];
  });
  ready.catch(() => {});

  const hand = (): void => {
    const response = idle[0];
    const invocation = waiting[0];
    if (!response || !invocation) return;
    idle.shift();
    waiting.shift();
    running.set(invocation.id, invocation);
    response.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': invocation.id,
      'lambda-runtime-invoked-function-arn': FUNCTION_ARN,
      'lambda-runtime-deadline-ms': String(Date.now() + timeoutSeconds * 1000),
    });
    response.end(JSON.stringify(invocation.event));
  };

  const answered = (id: string, kind: string, body: string): number => {
    const invocation = running.get(id);
    running.delete(id);
    if (!invocation) return 400;
    if (kind === 'error') invocation.reject(errorOf(body));
    else if (Buffer.byteLength(body) > MOST_BYTES) invocation.reject(new Error('ResponseTooLarge'));
    else invocation.resolve(JSON.parse(body));
    return 202;
  };

  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace('/2018-06-01/runtime/', '');
    if (path === 'invocation/next') {
      idle.push(response);
      loaded();
      hand();
      return;
    }
    const body = await text(request);
    const [, id = '', kind = ''] = path.split('/');
    if (path === 'init/error') failed(errorOf(body));
    response.writeHead(path === 'init/error' ? 202 : answered(decodeURIComponent(id), kind, body));
    response.end('{}');
  });
  const { port, stop } = await listening(server);

  return {
    address: `127.0.0.1:${port}`,
    ready,
    invoke: (event) =>
      new Promise((resolve, reject) => {
        waiting.push({ id: `request-${(count += 1)}`, event, resolve, reject });
        hand();
      }),
    ended: (why) => {
      const error = new Error(`Runtime.ExitError: ${why}`);
      failed(error);
      for (const { reject } of [...running.values(), ...waiting.splice(0)]) reject(error);
    },
    close: stop,
  };
};

const errorOf = (body: string): Error => {
  const { errorType, errorMessage } = JSON.parse(body) as Record<string, string>;
  return new Error(`${errorType}: ${errorMessage}`);
};
