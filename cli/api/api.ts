import { usageFailure } from '../failure.ts';
import { isJson, type Json, listOf, parsed, textOf } from '../json.ts';
import type { World } from '../world.ts';
import { type Answer, exchange } from './exchange.ts';
import { failureOf } from './problem.ts';

export interface ApiRequest {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** JSON that gzip made smaller. */
  readonly packed?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The management API of one service. Every method throws a Failure for what is not a success. */
export interface Api {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** As the signed-in person. */
  call(method: Method, path: string, request?: ApiRequest): Promise<Json>;
  /** As anybody. */
  callOpenly(method: Method, path: string, request?: ApiRequest): Promise<Json>;
  /** The entries of a list, page after page, until there are no more or these many. */
  list(path: string, query?: Query, atMost?: number): Promise<readonly Json[]>;
}

/** Uploading 5 MB over a slow line takes a while. */
const TIMEOUT_SECONDS = 120;

/**
 * @param token - asked for at the first call that needs it; throws a Failure if nobody is signed in
 */
export const apiAt = (
  world: Pick<World, 'fetch'>,
  baseUrl: string,
  token: () => Promise<string>,
): Api => {
  const send = async (
    method: Method,
    path: string,
    request: ApiRequest,
    authorization: Readonly<Record<string, string>>,
  ): Promise<Json> => {
    const { query = {}, json, packed, headers = {} } = request;
    const answer = await exchange(world.fetch, {
      method,
      url: `${baseUrl}/mcp-management${path}${queryText(query)}`,
      headers: {
        accept: 'application/json',
        ...authorization,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(packed && { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(packed && { body: packed }),
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    return bodyOf(answer, baseUrl);
  };
  const call: Api['call'] = async (method, path, request = {}) =>
    send(method, path, request, { authorization: `Bearer ${await token()}` });

  return {
    baseUrl,
    call,
    callOpenly: (method, path, request = {}) => send(method, path, request, {}),
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

/** @throws Failure for every status that is no success, and for a success in another language */
const bodyOf = (answer: Answer, baseUrl: string): Json => {
  const { status, text } = answer;
  if (status < 200 || status > 299) throw failureOf(answer, baseUrl);
  if (text === '') return {};
  const body = parsed(text);
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
