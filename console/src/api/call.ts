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
import { notReached, Problem, problemIn } from './problem.ts';
import { bearer, forgetToken, signInAgain } from './session.ts';

type Wants<Id extends Operation> = (PathOf<Id> extends undefined
  ? { readonly path?: undefined }
  : { readonly path: PathOf<Id> }) &
  (IsConditional<Id> extends true ? Agreed : { readonly ifMatch?: undefined }) & {
    readonly query?: QueryOf<Id> | undefined;
    readonly body?: BodyOf<Id> | undefined;
  } & AnyWants;

/** Of operations that honour `If-Match`, none of which can be called without. */
interface Agreed {
  /**
   * The ETag of what somebody looked at before they agreed: the service refuses what would be done to anything else
   * (412 `stale`).
   */
  readonly ifMatch: string;
}

interface AnyWants {
  /** Names a request that may be sent again: one key, one effect. */
  readonly idempotencyKey?: string | undefined;
  /** Instead of `body`: bytes as they are, with their media type. */
  readonly raw?: { readonly bytes: Blob; readonly mediaType: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Sent extends AnyWants {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
}

/** Arguments of a call: optional where the path has no parameters. */
export type Given<Id extends Operation> =
  PathOf<Id> extends undefined ? [wants?: Wants<Id>] : [wants: Wants<Id>];

export interface Answered<Answer> {
  readonly body: Answer;
  /** That of nothing where none came. */
  readonly etag: string;
  readonly response: Response;
}

/** Matches whatever there is never. */
const NO_ETAG = '""';

const MANAGEMENT = '/v1/mcp-management';

/** What is said of each change that was made, by method. What a POST does is shown where it was asked for. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['PUT', 'Saved.'],
  ['PATCH', 'Saved.'],
  ['DELETE', 'Done.'],
]);

/** Longest wait before a call answered 429 is sent again, which had no effect. */
const PATIENCE_SECONDS = 5;
const ATTEMPTS = 3;

/**
 * Calls one operation of the management API.
 *
 * @throws Problem
 */
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
    if (answer.ok) return answer;
    const problem = await problemIn(answer);
    if (attempt >= ATTEMPTS) throw problem;
    if (problem.code === 'sign_in_again' && (await signInAgain())) continue;
    // Operators' addresses answer 404 once a session has ended: a fresh token tells the two apart.
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

/** A name for a request that may have to be sent again. */
export const newKey = (): string => crypto.randomUUID();

const LARGEST_PAGE = 100;

/**
 * Reads all pages of a list one after the other, and reports the items so far after each.
 *
 * @param most - entries after which it stops
 * @throws Problem
 */
export const readAll = async <Id extends ListOperation>(
  ...list: Parameters<typeof readTagged<Id>>
): Promise<readonly ItemOf<Id>[]> => (await readTagged(...list)).items;

/**
 * The same with the ETag of the first page: of a list that changes while it is read, none that is the latest.
 *
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
