import type { Api } from '../api/api.ts';
import type { ItemOf } from '../../console/src/api/operation.ts';
import { EXIT, Failure } from '../failure.ts';
import { nearest } from '../nearest.ts';
import type { Columns } from '../text/table.ts';

export interface Known {
  readonly kind: 'user' | 'client' | 'grant' | 'token';
  readonly name: string;
}

/** Name of an id; undefined for an id that no list names (any more). */
export type NameOf = (id: unknown) => Known | undefined;

/** Names come from today's lists, without ended grants. @param slug - without one, the caller's account */
export const namesAt = async (api: Api, slug: string | undefined): Promise<NameOf> => {
  const path = slug === undefined ? undefined : { slug };
  const [account, grants, tokens] = await Promise.all([
    api.call('GET /account').catch(unless({ id: undefined, email: undefined })),
    path ? grantsAt(api, path.slug) : api.list('GET /account/grants').catch(unless([])),
    path ? api.list('GET /deployments/{slug}/tokens', { path }).catch(unless([])) : [],
  ]);
  const known = new Map<unknown, Known>();
  const add = (kind: Known['kind'], id: unknown, name: unknown): void => {
    if (typeof id === 'string' && typeof name === 'string') known.set(id, { kind, name });
  };
  for (const { jti, name } of tokens) add('token', jti, name);
  for (const grant of grants) {
    const { client_name: client } = grant;
    const [email, user] = 'email' in grant ? [grant.email, grant.user_id] : [];
    const who = email === undefined ? '' : ` of ${email}`;
    add('grant', grant.id, client === undefined ? undefined : client + who);
    add('user', user, email);
    add('client', grant.client_id, client);
  }
  add('user', account.id, account.email);
  return (id) => known.get(id);
};

type Grant = ItemOf<'GET /deployments/{slug}/grants'>;

const grantsAt = (api: Api, slug: string) =>
  api.list('GET /deployments/{slug}/grants', { path: { slug } }).catch(unless([]));

/** A list that the caller may not read gives no names: ids are shown. */
const unless =
  <Value>(otherwise: Value) =>
  (error: unknown): Value => {
    if (error instanceof Failure) return otherwise;
    throw error;
  };

/**
 * Adds the nearest of the caller's servers, or of a server's tools, to a refused name, and the command that lists
 * all.
 * @param places - of the command
 */
export const nearestKnown = async (
  api: Api,
  failure: Failure,
  { slug, tool }: Readonly<Record<string, unknown>>,
): Promise<Failure> => {
  const { exitCode, code, message, details } = failure;
  if (typeof slug !== 'string' || code !== 'not_found') return failure;
  const hinted = (hint: string) => new Failure(exitCode, code, message, { ...details, hint });
  if (message === NO_SERVER) {
    const servers = await api.list('GET /deployments').catch(unless([]));
    const meant = didYouMean(
      slug,
      servers.map((one) => one.slug),
    );
    return hinted(`${meant}npx --no-install hosted-mcp ls shows your servers.`);
  }
  if (message === NO_VERSION) {
    return hinted(`npx --no-install hosted-mcp versions ${slug} lists those that there are.`);
  }
  if (message === NO_TOOL && typeof tool === 'string') {
    const path = { slug };
    const tools = await api.list('GET /deployments/{slug}/tools', { path }).catch(unless([]));
    return hinted(toolHint(slug, tool, tools));
  }
  return failure;
};

export const toolHint = (
  slug: string,
  tool: string,
  tools: readonly { readonly name: string }[],
): string => {
  const meant = didYouMean(
    tool,
    tools.map(({ name }) => name),
  );
  return `${meant}npx --no-install hosted-mcp tools ${slug} lists all.`;
};

const didYouMean = (word: string, known: readonly string[]): string => {
  const near = nearest(word, known);
  return near === undefined ? '' : `Did you mean ${near}? `;
};

const NO_SERVER = 'There is no server of this name.';
const NO_TOOL = 'The server has no tool of this name.';
const NO_VERSION = 'The server has no such version.';

export interface Naming<Item> {
  readonly what: string;
  /** Command that lists all items of a server. */
  readonly listed: string;
  readonly id: (one: Item) => string;
  readonly names: (one: Item) => readonly (string | undefined)[];
  readonly about: (one: Item) => string;
}

/** @returns undefined for an unknown word @throws Failure usage, with the choices, where several have the name */
export const oneNamed = <Item>(
  word: string,
  items: readonly Item[],
  { what, id, names, about }: Omit<Naming<Item>, 'listed'>,
): Item | undefined => {
  const byId = items.find((one) => id(one) === word);
  if (byId) return byId;
  const named = items.filter((one) => names(one).includes(word));
  if (named.length < 2) return named[0];
  throw new Failure(
    EXIT.usage,
    'usage',
    `There are ${named.length} ${what}s "${word}": name it by its id.`,
    { findings: named.map((one) => ({ where: '', what: `${id(one)}: ${about(one)}`, hint: '' })) },
  );
};

export const nothingNamed = <Item>(
  word: string,
  items: readonly Item[],
  { what, listed, names }: Naming<Item>,
  slug: string,
): Failure => {
  const known = items.flatMap(names).filter((name) => name !== undefined);
  const near = nearest(word, [...new Set(known)]);
  const meant = near === undefined ? '' : `Did you mean "${near}"? `;
  return new Failure(EXIT.notFound, 'not_found', `There is no ${what} "${word}".`, {
    hint: `${meant}npx --no-install hosted-mcp ${listed} ${slug} shows all.`,
  });
};

/** A column with ids only of rows whose name is missing or not unique. @param rows - that may be named */
export const idColumn = <Item>(
  rows: readonly Item[],
  id: (one: Item) => unknown,
  name: (one: Item) => string | undefined,
): Columns<Item> => {
  const counted = Map.groupBy(rows, name);
  const isAmbiguous = (one: Item) => {
    const own = name(one);
    return rows.includes(one) && (own === undefined || (counted.get(own)?.length ?? 0) > 1);
  };
  return rows.some(isAmbiguous) ? { id: (one) => (isAmbiguous(one) ? id(one) : undefined) } : {};
};

export const clientIdOf = async (api: Api, slug: string, word: string): Promise<string> => {
  const grants = await grantsAt(api, slug);
  const id = (one: Grant) => one.client_id;
  // Each client is listed once, though it has a grant for each of its users.
  const items = [...new Map(grants.map((one) => [id(one), one])).values()];
  const found = oneNamed(word, items, {
    what: 'client',
    id,
    names: (one) => [one.client_name],
    about: (one) => `of ${one.email ?? ''}`,
  });
  return found ? id(found) : word;
};
