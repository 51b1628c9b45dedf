import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Failure, usageFailure } from '../failure.ts';
import { isJson, type Json, listOf, parsed, textOf } from '../json.ts';
import type { World } from '../world.ts';
import { type Answer, exchange } from './exchange.ts';
import { failureOf } from './problem.ts';

interface ApiRequest {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly json?: unknown;
  /**
   * Sent as JSON that gzip makes smaller, so that the largest description passes every gateway. API Gateway
   * spoils packed bodies that are declared as JSON.
   */
  readonly packed?: Json;
  readonly headers?: RequestHeaders;
}

export type RequestHeaders = Readonly<Record<string, string>>;

type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The management API of one service. Every method throws a Failure for what is not a success. */
export interface Api {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** As the signed-in person. */
  call(method: Method, path: string, request?: ApiRequest): Promise<Json>;
  /** As anybody. */
  callOpenly(method: Method, path: string, request?: ApiRequest): Promise<Json>;
  /**
   * Makes something that must come to be once: where the connection was cut, the same request is sent once
   * more, and what the first one made is the answer.
   */
  make(path: string, request: ApiRequest): Promise<Json>;
  /** Headers of a change to what is at a path now: it is refused where somebody else was faster. */
  asItIs(path: string): Promise<RequestHeaders>;
  /** What is at a path now, and headers of a change to it. */
  present(path: string): Promise<{ readonly body: Json; readonly headers: RequestHeaders }>;
  download(path: string): Promise<Uint8Array>;
  /** The entries of a list, page after page, until there are no more or these many. */
  list(path: string, query?: Query, atMost?: number): Promise<readonly Json[]>;
}

const gzipped = promisify(gzip);

/** Uploading 5 MB over a slow line takes a while. */
const TIMEOUT_SECONDS = 120;

/** @param token - asked for at the first call that needs it; throws a Failure if nobody is signed in */
export const apiAt = (
  world: Pick<World, 'fetch'>,
  baseUrl: string,
  token: () => Promise<string>,
): Api => {
  const send = async (
    method: Method,
    path: string,
    request: ApiRequest,
    authorization: RequestHeaders,
  ): Promise<Answer> => {
    const { query = {}, json, packed, headers = {} } = request;
    const answer = await exchange(world.fetch, {
      method,
      url: `${baseUrl}/mcp-management${path}${queryText(query)}`,
      headers: {
        accept: 'application/json',
        ...authorization,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(packed && { 'content-type': 'application/gzip' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(packed && { body: new Uint8Array(await gzipped(JSON.stringify(packed))) }),
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer, baseUrl);
    return answer;
  };
  const sendSigned = async (method: Method, path: string, request: ApiRequest) =>
    send(method, path, request, { authorization: `Bearer ${await token()}` });
  const call: Api['call'] = async (method, path, request = {}) =>
    bodyOf(await sendSigned(method, path, request), baseUrl);

  const present: Api['present'] = async (path) => {
    const answer = await sendSigned('GET', path, {});
    const etag = answer.headers.get('etag');
    return { body: bodyOf(answer, baseUrl), headers: etag === null ? {} : { 'if-match': etag } };
  };

  return {
    baseUrl,
    call,
    present,
    callOpenly: async (method, path, request = {}) =>
      bodyOf(await send(method, path, request, {}), baseUrl),
    make: (path, request) => {
      const headers = { ...request.headers, 'idempotency-key': randomUUID() };
      const tried = () => call('POST', path, { ...request, headers });
      return tried().catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'unreachable') return tried();
        throw error;
      });
    },
    asItIs: async (path) => (await present(path)).headers,
    download: async (path) => {
      const headers = { accept: '*/*' };
      return (await sendSigned('GET', path, { headers })).bytes;
    },
    list: async (path, query = {}, atMost = Number.POSITIVE_INFINITY) => {
      const items: Json[] = [];
      let cursor: string | undefined;
      do {
        const page = await call('GET', path, { query: { ...query, cursor } });
        items.push(...listOf(page['items']));
        cursor = textOf(page['next_cursor']);
      } while (cursor !== undefined && items.length < atMost);
      return items.slice(0, atMost);
    },
  };
};

/** @throws Failure for a success in another language */
const bodyOf = (answer: Answer, baseUrl: string): Json => {
  if (answer.text === '') return {};
  const body = parsed(answer.text);
  if (!isJson(body)) throw failureOf(answer, baseUrl);
  return body;
};

const queryText = (query: Query): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) parameters.append(name, one);
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
};

/**
 * The path to a thing, each part encoded.
 *
 * @throws Failure usage for a part that would lead to something else
 */
export const pathOf = (...parts: readonly string[]): string => {
  const stray = parts.find((part) => /^\.{0,2}$/.test(part));
  if (stray !== undefined) throw usageFailure(`"${stray}" is no name.`);
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
};
