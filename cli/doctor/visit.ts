import { type Answer, exchange } from '../api/exchange.ts';
import { isJson, type Json, jsonOf, parsed, textOf } from '../json.ts';
import { duration } from '../text/time.ts';
import type { World } from '../world.ts';
import type { Fault } from './step.ts';

const TIMEOUT_SECONDS = 20;

export interface Visited {
  readonly status: number;
  /** Value of a header; undefined where it is not there. */
  header(name: string): string | undefined;
  /** Undefined if the body is no JSON object. */
  readonly json: Json | undefined;
  readonly text: string;
}

/** @throws Failure unreachable */
export interface Visit {
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<Visited>;
  /** Sends a JSON-RPC message with the transport's headers. */
  rpc(url: string, message: object, headers?: Readonly<Record<string, string>>): Promise<Visited>;
  postJson(url: string, body: object): Promise<Visited>;
  postForm(url: string, fields: Readonly<Record<string, string>>): Promise<Visited>;
  preflight(url: string, headers: Readonly<Record<string, string>>): Promise<Visited>;
}

export const visiting = ({ fetch: send }: Pick<World, 'fetch'>): Visit => {
  const visit = async (
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Visited> =>
    visited(
      await exchange(send, {
        method,
        url,
        headers,
        timeoutSeconds: TIMEOUT_SECONDS,
        ...(body !== undefined && { body }),
      }),
    );
  return {
    get: (url, headers = { accept: 'application/json' }) => visit('GET', url, headers),
    rpc: (url, message, headers = {}) =>
      visit('POST', url, { ...RPC_HEADERS, ...headers }, JSON.stringify(message)),
    postJson: (url, body) =>
      visit('POST', url, { accept: 'application/json', ...JSON_TYPE }, JSON.stringify(body)),
    postForm: (url, fields) =>
      visit('POST', url, { accept: 'application/json', ...FORM_TYPE }, formOf(fields)),
    preflight: (url, headers) => visit('OPTIONS', url, headers),
  };
};

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const formOf = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();
const JSON_TYPE = { 'content-type': 'application/json' };
const RPC_HEADERS = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };

const visited = ({ status, headers, text }: Answer): Visited => {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const body = parsed(isStream ? dataOf(text) : text);
  return {
    status,
    header: (name) => headers.get(name) ?? undefined,
    json: isJson(body) ? body : undefined,
    text,
  };
};

/** Data of the last server-sent event. Source: HTML, "Server-sent events". */
const dataOf = (stream: string): string =>
  stream
    .split(/\r?\n/)
    .flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? [])
    .at(-1) ?? '';

/** The fault of a status that is not wanted; undefined for a wanted one. */
export const statusFault = (answer: Visited, wanted: readonly number[]): Fault | undefined => {
  const { status } = answer;
  if (wanted.includes(status)) return undefined;
  const what = `HTTP ${status} instead of ${wanted.join(' or ')}`;
  if (status === 429) {
    const wait = Number(answer.header('retry-after'));
    const { error, error_description: described, detail } = answer.json ?? {};
    const limit = textOf(jsonOf(error).message) ?? textOf(described) ?? textOf(detail);
    return {
      what: `${what}: ${limit?.replace(/\.$/, '') ?? 'too many requests'}`,
      cause: 'A limit of the service is reached for this address, client or user.',
      hint: wait > 0 ? `Try again in ${duration(wait)}.` : 'Try again later.',
    };
  }
  if (status >= 300 && status < 400) {
    return {
      what: `${what}: a redirect to ${answer.header('location') ?? 'nowhere'}`,
      cause: 'A proxy, or a redirect from http to https or to another host, stands in front.',
      hint: 'Give clients the address that it leads to: most do not follow redirects here.',
    };
  }
  if (status >= 500) {
    return {
      what,
      cause: 'The service, or a gateway in front of it, has a problem of its own.',
      hint: 'Look at its logs; try again in a moment.',
    };
  }
  return {
    what,
    cause: 'Something between here and the service answers in its place, or routes wrongly.',
    hint: 'Check the address, and the routes of a gateway or proxy in front of the service.',
  };
};
