import type {
  AnswerOf,
  BodyOf,
  IsConditional,
  ItemOf,
  ListOperation,
  Operation,
  PathOf,
  QueryOf,
} from './operation.ts';
import { announce } from '../kit/announce.ts';
import { isPage, notReached, Problem, problemIn } from './problem.ts';
import { bearer, forgetToken, signInAgain } from './session.ts';

/** `ifMatch`: ETag of what somebody looked at before they agreed: anything else is refused (412 `stale`). */
type Wants<Id extends Operation> = (PathOf<Id> extends undefined
  ? { readonly path?: undefined }
  : { readonly path: PathOf<Id> }) &
  (IsConditional<Id> extends true
    ? { readonly ifMatch: string }
    : { readonly ifMatch?: undefined }) & {
    readonly query?: QueryOf<Id> | undefined;
    readonly body?: BodyOf<Id> | undefined;
  } & AnyWants;

interface AnyWants {
  /** A request that is sent twice with the same key takes effect once. */
  readonly idempotencyKey?: string | undefined;
  /** Sent as it is, instead of `body`. */
  readonly raw?: { readonly bytes: Blob; readonly mediaType: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Sent extends AnyWants {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
}

export type Given<Id extends Operation> =
  PathOf<Id> extends undefined ? [wants?: Wants<Id>] : [wants: Wants<Id>];

export interface Answered<Answer> {
  readonly body: Answer;
  readonly etag: string;
  readonly response: Response;
}

/** An ETag that never matches. */
const NO_ETAG = '""';

const MANAGEMENT = '/v1/mcp-management';

/** Announced after a change, by its method. The outcome of a POST is shown by the page that asked for it. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['PUT', 'Saved.'],
  ['PATCH', 'Saved.'],
  ['DELETE', 'Done.'],
]);

/** A call answered with 429 is repeated if the service asks for no longer wait than this. */
const PATIENCE_SECONDS = 5;
const ATTEMPTS = 3;

/** Calls one operation of the management API. @throws Problem */
export const call = async <Id extends Operation>(
  id: Id,
  ...[wants]: Given<Id>
): Promise<Answered<AnswerOf<Id>>> => {
  const response = await send(id, (wants ?? {}) as Sent);
  const done = DONE.get(id.slice(0, id.indexOf(' ')));
  if (done !== undefined) announce(done);
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return {
    body: (response.status === 204
      ? undefined
      : isJson
        ? await response.json()
        : await response.text()) as AnswerOf<Id>,
    etag: response.headers.get('etag') ?? NO_ETAG,
    response,
  };
};

const send = async (id: Operation, wants: Sent): Promise<Response> => {
  const [method = '', path = ''] = id.split(' ');
  const address = MANAGEMENT + filled(path, wants.path) + queryOf(wants.query);
  for (let attempt = 1; ; attempt += 1) {
    const token = await bearer();
    const answer = await once(address, method, token, wants);
    if (answer.ok && !isPage(answer)) return answer;
    const problem = await problemIn(answer);
    if (attempt >= ATTEMPTS) throw problem;
    if (problem.code === 'sign_in_again' && (await signInAgain())) continue;
    // Operators' addresses also answer 404 if the session has ended: a fresh token tells the two apart.
    const isHidden = problem.status === 404 && path.startsWith('/operator/') && attempt === 1;
    if (problem.status === 401 || isHidden) {
      forgetToken(token);
      continue;
    }
    const wait = problem.status === 429 ? problem.retryAfterSeconds : undefined;
    if (wait === undefined || wait > PATIENCE_SECONDS) throw problem;
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  }
};

const once = async (
  address: string,
  method: string,
  token: string,
  { body, raw, ifMatch, idempotencyKey, signal }: Sent,
): Promise<Response> => {
  const mediaType = raw?.mediaType ?? (body === undefined ? undefined : 'application/json');
  const content = raw?.bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  try {
    return await fetch(address, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(mediaType !== undefined && { 'content-type': mediaType }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(content !== undefined && { body: content }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw new Problem({ status: 0, code: 'aborted', detail: 'Stopped.' });
    if (error instanceof TypeError) throw notReached();
    throw error;
  }
};

const filled = (path: string, places: object | undefined): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((places as Record<string, string> | undefined)?.[name] ?? '')),
  );

const queryOf = (query: object | undefined): string => {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
};

/** Idempotency key of a request that may be sent again. */
export const newKey = (): string => crypto.randomUUID();

const LARGEST_PAGE = 100;

/** Reads all pages of a list, as `readTagged` does. @throws Problem */
export const readAll = async <Id extends ListOperation>(
  ...list: Parameters<typeof readTagged<Id>>
): Promise<readonly ItemOf<Id>[]> => (await readTagged(...list)).items;

/**
 * Reads all pages of a list, or pages until there are `most` items, and calls `come` with the items so far after
 * each. The ETag is that of the first page: if the list changes meanwhile, writes with it are refused.
 * @throws Problem
 */
export const readTagged = async <Id extends ListOperation>(
  id: Id,
  wants: {
    readonly path?: PathOf<Id>;
    readonly query?: Partial<QueryOf<Id>>;
  },
  {
    most = Number.POSITIVE_INFINITY,
    come = () => undefined,
  }: { readonly most?: number; readonly come?: (items: readonly ItemOf<Id>[]) => void } = {},
): Promise<{ readonly items: readonly ItemOf<Id>[]; readonly etag: string }> => {
  const items: ItemOf<Id>[] = [];
  let tag: string | undefined;
  let cursor: string | undefined;
  do {
    const query = { limit: LARGEST_PAGE, ...wants.query, cursor };
    const read = call as (
      id: ListOperation,
      wants: object,
    ) => Promise<Answered<{ items: readonly ItemOf<Id>[]; next_cursor?: string }>>;
    const { body, etag } = await read(id, { path: wants.path, query });
    tag ??= etag;
    items.push(...body.items);
    come([...items]);
    cursor = body.next_cursor;
  } while (cursor !== undefined && items.length < most);
  return { items, etag: tag };
};
