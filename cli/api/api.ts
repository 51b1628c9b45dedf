import { member } from '../../layers/platform/rules/json/json.ts';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type {
  AnswerOf,
  BodyOf,
  ItemOf,
  ListOperation,
  Operation,
  PathOf,
  QueryOf,
} from '../../console/src/api/operation.ts';
import { Failure, usageFailure } from '../failure.ts';
import { isJson, type Json, listOf, parsed, textOf } from '../json.ts';
import type { World } from '../world.ts';
import { type Answer, exchange } from './exchange.ts';
import { failureOf } from './problem.ts';

/** A request body with all members optional and words as plain strings: the service checks both. */
type Sent<Body> = Body extends object
  ? { readonly [Name in keyof Body]?: AnyWord<Body[Name]> | undefined }
  : undefined;

type AnyWord<Value> = Value extends string
  ? string
  : Value extends readonly string[]
    ? readonly string[]
    : Value;

export interface Request<Id extends Operation> {
  readonly query?: { readonly [Name in keyof QueryOf<Id>]?: string | undefined };
  readonly json?: Sent<BodyOf<Id>>;
  /** A body sent as gzip, for gateways' limits. API Gateway spoils packed bodies that are declared as JSON. */
  readonly packed?: Json;
  readonly headers?: RequestHeaders;
}

/** Arguments for an operation, with `path` where its path has parameters. */
type Wants<Id extends Operation, More extends readonly unknown[] = []> =
  PathOf<Id> extends undefined
    ? [request?: Request<Id>, ...More]
    : [request: Request<Id> & { readonly path: PathOf<Id> }, ...More];

export type RequestHeaders = Readonly<Record<string, string>>;

export type Deployment = AnswerOf<'GET /deployments/{slug}'>;
export type Report = AnswerOf<'POST /descriptions'>;
export type Tool = ItemOf<'GET /deployments/{slug}/tools'>;
export type Call = ItemOf<'GET /deployments/{slug}/calls'>;
export type Problem = AnswerOf<'GET /deployments/{slug}/problems'>['items'][number];

/** Every method of the API throws a Failure for an answer that is not a success. */
export interface Api {
  /** Base URL of the service, which ends in `/v1`. */
  readonly baseUrl: string;
  call<Id extends Operation>(id: Id, ...wants: Wants<Id>): Promise<AnswerOf<Id>>;
  callOpenly<Id extends Operation>(id: Id, ...wants: Wants<Id>): Promise<AnswerOf<Id>>;
  /** Creates exactly once: a repeat after a cut connection has the same idempotency key. */
  make<Id extends Operation>(id: Id, ...wants: Wants<Id>): Promise<AnswerOf<Id>>;
  /** Reads the present state, with headers that make a later change fail if somebody else was faster. */
  present<Id extends Operation>(
    id: Id,
    ...wants: Wants<Id>
  ): Promise<{ readonly body: AnswerOf<Id>; readonly headers: RequestHeaders }>;
  download<Id extends Operation>(id: Id, ...wants: Wants<Id>): Promise<Uint8Array>;
  /** Entries of a list, page by page, up to `atMost`. */
  list<Id extends ListOperation>(
    id: Id,
    ...wants: Wants<Id, [atMost?: number]>
  ): Promise<readonly ItemOf<Id>[]>;
}

const gzipped = promisify(gzip);

/** Timeout that lets 5 MB be uploaded over a slow line. */
const TIMEOUT_SECONDS = 120;

/** @param token - called when a request first needs it; throws a Failure if nobody is signed in */
export const apiAt = (
  world: Pick<World, 'fetch'>,
  baseUrl: string,
  token: () => Promise<string>,
  always: RequestHeaders = {},
): Api => {
  const send = async (
    [id, request = {}]: AnyWants,
    authorization: () => Promise<RequestHeaders>,
  ): Promise<Answer> => {
    const { path = {}, query = {}, json, packed, headers = {} } = request;
    const [method = '', template = ''] = id.split(' ');
    const url = `${baseUrl}/mcp-management${filled(template, path)}${queryText(query)}`;
    const answer = await exchange(world.fetch, {
      method,
      url,
      headers: {
        accept: 'application/json',
        ...always,
        ...(await authorization()),
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
  const sendSigned = async (wants: AnyWants) =>
    send(wants, async () => ({ authorization: `Bearer ${await token()}` }));
  const call = async (...wants: AnyWants) => bodyOf(await sendSigned(wants), baseUrl);

  const api: { readonly [Name in keyof Api]: unknown } = {
    baseUrl,
    call,
    callOpenly: async (...wants: AnyWants) => bodyOf(await send(wants, async () => ({})), baseUrl),
    make: (...[id, request]: AnyWants) => {
      const headers = { ...request?.headers, 'idempotency-key': randomUUID() };
      const tried = () => call(id, { ...request, headers });
      return tried().catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'unreachable') return tried();
        throw error;
      });
    },
    present: async (...wants: AnyWants) => {
      const answer = await sendSigned(wants);
      const etag = answer.headers.get('etag');
      return { body: bodyOf(answer, baseUrl), headers: etag === null ? {} : { 'if-match': etag } };
    },
    download: async (...[id, request]: AnyWants) =>
      (await sendSigned([id, { ...request, headers: { accept: '*/*' } }])).bytes,
    list: async (...[id, request, atMost = Number.POSITIVE_INFINITY]: [...AnyWants, number?]) => {
      const items: Json[] = [];
      let cursor: string | undefined;
      do {
        const page = await call(id, { ...request, query: { ...request?.query, cursor } });
        items.push(...listOf(page.items));
        cursor = textOf(page.next_cursor);
      } while (cursor !== undefined && items.length < atMost);
      return items.slice(0, atMost);
    },
  };
  // Answers are trusted to match the API's own description.
  return api as Api;
};

type AnyWants = [
  id: string,
  request?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string | undefined>>;
    readonly json?: unknown;
    readonly packed?: Json;
    readonly headers?: RequestHeaders;
  },
];

/** @throws Failure for a success that is no JSON object */
const bodyOf = (answer: Answer, baseUrl: string): Json => {
  if (answer.text === '') return {};
  const body = parsed(answer.text);
  if (!isJson(body)) throw failureOf(answer, baseUrl);
  return body;
};

const queryText = (query: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

/** @throws Failure usage for a part such as `..`, which would change the path */
const filled = (template: string, parts: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const part = member(parts, name) ?? '';
    if (/^\.{0,2}$/.test(part)) throw usageFailure(`"${part}" is not a valid name.`);
    return encodeURIComponent(part);
  });
