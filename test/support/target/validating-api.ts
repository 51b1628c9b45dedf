import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A request as it came over the socket. */
export interface Received {
  readonly method: string;
  /** Path and query behind the description's own base. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** In base64. */
  readonly body: string;
}

export interface Violation {
  readonly location: string;
  readonly path: string;
  readonly message: string;
}

/** What the API answers to every request, as JSON. */
export interface Judged {
  readonly violations: readonly Violation[];
  readonly received: Received;
}

/**
 * An API behind a socket that holds each request against a description, with the validation of
 * `@scalar/mock-server`: it reads all styles in all places, and JSON bodies. What it cannot read is
 * told in `validator-exceptions.ts`.
 */
export interface ValidatingApi extends AsyncDisposable {
  /**
   * Serves one more description, of which only paths, parameters, bodies and schemas count.
   *
   * @param document - undefined: requests are only told, not judged
   * @returns the base URL of the API
   */
  serve(document?: Readonly<Record<string, unknown>>): Promise<string>;
}

export const startValidatingApi = async (): Promise<ValidatingApi> => {
  const worker = new Worker(new URL('validating-api-thread.ts', import.meta.url));
  const said = async (): Promise<string> => (await once(worker, 'message'))[0];
  const url = await said();
  let count = 0;
  return {
    serve: async (document) => {
      count += 1;
      const id = `d${count}`;
      const answered = said();
      worker.postMessage({ id, ...(document && { document: requestsOnly(document) }) });
      const answer = await answered;
      if (answer !== 'ready') throw new Error(answer);
      return `${url}/${id}`;
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
};

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/**
 * A description without what is no part of requests: answers, whose examples would be made up, security,
 * servers, and methods that the mock server does not route.
 */
const requestsOnly = (document: Readonly<Record<string, unknown>>) => {
  const rest = without(document, [
    'security',
    'servers',
    'host',
    'basePath',
    'schemes',
    'webhooks',
  ]);
  const items = (map: unknown): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries((map ?? {}) as Record<string, unknown>).map(([path, item]) => [
        path,
        requestsOfItem(item as Record<string, unknown>),
      ]),
    );
  const components = rest['components'] as Record<string, unknown> | undefined;
  return {
    ...rest,
    paths: items(rest['paths']),
    ...(components && {
      components: {
        ...without(components, ['securitySchemes', 'responses', 'examples']),
        pathItems: items(components['pathItems']),
      },
    }),
  };
};

const requestsOfItem = (item: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(item).flatMap(([key, value]) => {
      if (!METHODS.includes(key))
        return key.startsWith('$') || key === 'parameters' ? [[key, value]] : [];
      const operation = without(value as Record<string, unknown>, [
        'security',
        'servers',
        'callbacks',
      ]);
      return [[key, { ...operation, responses: { 200: { description: 'fine' } } }]];
    }),
  );

const without = (node: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)));
