import type { ItemOf } from '../../console/src/api/operation.ts';
import { type Command, command } from '../command.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { plain, plainOf } from '../text/plain.ts';
import { cell, facts } from '../text/table.ts';
import { localTime, secondsOf, timeOf } from '../text/time.ts';
import { listCommand, removeCommand, showCommand } from './collections.ts';
import { idColumn, type Naming, nothingNamed, oneNamed } from './names.ts';

export const MINT_OPTIONS = {
  'expires-in': { value: 'TIME', help: 'as in 3600, 30m or 24h, which is the most' },
  scope: { value: 'SCOPES', help: 'as in "mcp.tools.read"; both if omitted' },
  name: { value: 'NAME', help: 'what it is for' },
} as const;

const mint = command({
  name: 'token mint',
  summary: 'Mints a token for a server of mode jwt; it is shown this one time',
  places: ['slug'],
  options: MINT_OPTIONS,
  details: [
    'Standard output is the token and nothing else: TOKEN=$(npx --no-install hosted-mcp token mint my-api)',
  ],
  run: async ({ api, output }, { slug }, { scope, name, ...values }) => {
    const expires_in = secondsIn(values['expires-in']);
    const json = { expires_in, scope, name };
    const answer = await api.call('POST /deployments/{slug}/tokens', { path: { slug }, json });
    output.result(answer, [plainOf(answer.token)]);
    output.note('Keep it: it is not shown again. npx --no-install hosted-mcp token rm ends it.');
  },
});

const list = listCommand({
  name: 'token ls',
  summary: 'Lists the minted tokens of a server',
  at: 'GET /deployments/{slug}/tokens',
  columns: (items, now) => ({
    name: 'name',
    ...idColumn(
      items.filter((one) => tokenState(one, now) === 'active'),
      tokenId,
      (one) => one.name,
    ),
    scope: 'scope',
    created: timeOf('created_at'),
    expires: timeOf('expires_at'),
    state: (one) => tokenState(one, now),
  }),
  empty: (slug) => `${slug} has no minted token.`,
});

/** @param now - epoch seconds */
const tokenState = ({ revoked, expires_at }: Token, now: number): string => {
  if (revoked === true) return 'revoked';
  return Date.parse(expires_at) <= now * 1000 ? 'expired' : 'active';
};

const revoke = command({
  name: 'token rm',
  summary: 'Ends a minted token at once',
  places: ['slug', 'name-or-id'],
  run: async ({ api, output, world }, { slug, ...places }) => {
    const word = places['name-or-id'];
    const items = await api.list('GET /deployments/{slug}/tokens', { path: { slug } });
    // One that has ended does not make the name of another ambiguous.
    const active = items.filter(
      (one) => one.name === word && tokenState(one, world.now()) === 'active',
    );
    const naming: Naming<Token> = {
      what: 'token',
      items: active.length > 0 ? active : items,
      id: tokenId,
      names: (one) => [one.name],
      about: (one) => `created ${cell(localTime(one.created_at))}`,
    };
    const remove = (jti: string) =>
      api.call('DELETE /deployments/{slug}/tokens/{jti}', { path: { slug, jti } });
    const id = await removed(
      remove,
      word,
      naming,
      `npx --no-install hosted-mcp token ls ${slug} shows all.`,
    );
    output.result({ removed: id }, [`The token ${plain(word)} no longer works.`]);
  },
});

const setIssuer = command({
  name: 'issuer set',
  summary: 'Accepts tokens of another issuer, for a server of mode jwt',
  places: ['slug'],
  options: {
    issuer: { value: 'TEXT', help: 'the iss of its tokens' },
    'jwks-uri': { value: 'URL', help: 'where its keys are' },
    audience: { value: 'TEXT', help: 'the aud of its tokens' },
    algorithm: { value: 'ALG', multiple: true, help: 'as in RS256 or ES256' },
  },
  run: async ({ api, output }, { slug }, { issuer, audience, algorithm, ...values }) => {
    const jwks_uri = values['jwks-uri'];
    const given = { issuer, 'jwks-uri': jwks_uri, audience, algorithm: algorithm[0] };
    const missing = Object.entries(given).find(([, value]) => !value);
    if (missing) throw usageFailure(`--${missing[0]} is missing.`);
    const path = { slug };
    const { headers } = await api.present('GET /deployments/{slug}', { path });
    const json = { issuer, jwks_uri, audience, algorithms: algorithm };
    const answer = await api.call('PUT /deployments/{slug}/jwt-issuer', { path, json, headers });
    output.result(answer, [`${slug} accepts tokens of ${plainOf(issuer)}.`]);
  },
});

const showIssuer = showCommand({
  name: 'issuer show',
  summary: 'Shows whose tokens are accepted besides minted ones',
  at: 'GET /deployments/{slug}/jwt-issuer',
  lines: ({ issuer, jwks_uri, audience, algorithms }) =>
    facts({ Issuer: issuer, Keys: jwks_uri, Audience: audience, Algorithms: algorithms }),
});

const removeIssuer = removeCommand({
  name: 'issuer rm',
  summary: 'Accepts minted tokens only',
  at: 'DELETE /deployments/{slug}/jwt-issuer',
  line: (slug) => `${slug} accepts minted tokens only.`,
});

const listGrants = listCommand({
  name: 'grants',
  summary: 'Lists which clients of which people have access',
  at: 'GET /deployments/{slug}/grants',
  columns: (items) => ({
    user: 'email',
    client: 'client_name',
    ...idColumn(items, grantId, (one) => `${cell(one.email)} ${cell(one.client_name)}`),
    scope: 'scope',
    created: timeOf('created_at'),
    refreshed: timeOf('last_refreshed_at'),
    expires: timeOf('expires_at'),
  }),
  empty: (slug) => `Nobody has logged in to ${slug} yet.`,
});

const removeGrant = command({
  name: 'grants rm',
  summary: 'Takes the access away, all its tokens at once',
  places: ['slug', 'email-or-id'],
  options: {
    client: { value: 'CLIENT', help: 'the name of the client, where that person has several' },
  },
  run: async ({ api, output }, { slug, ...places }, { client }) => {
    const word = places['email-or-id'];
    const all = await api.list('GET /deployments/{slug}/grants', { path: { slug } });
    const naming: Naming<Grant> = {
      what: 'grant',
      items: all.filter((one) => client === undefined || one.client_name === client),
      id: grantId,
      names: (one) => [one.email, one.client_name],
      about: (one) =>
        `${cell(one.client_name)} of ${cell(one.email)}, created ${cell(localTime(one.created_at))}`,
    };
    const hint = `npx --no-install hosted-mcp grants ${slug} shows all.`;
    if (client !== undefined && !oneNamed(word, naming)) throw nothingNamed(word, naming, hint);
    const remove = (id: string) =>
      api.call('DELETE /deployments/{slug}/grants/{id}', { path: { slug, id } });
    const id = await removed(remove, word, naming, hint);
    output.result({ removed: id }, [`The grant ${plain(word)} and all its tokens are revoked.`]);
  },
});

type Token = ItemOf<'GET /deployments/{slug}/tokens'>;
type Grant = ItemOf<'GET /deployments/{slug}/grants'>;

const tokenId = ({ jti }: Token): string => jti;
const grantId = ({ id }: Grant): string => id;

/**
 * Removes what a name or an id means. An id that is in no list any more is left to the service, which ends
 * what is half ended.
 *
 * @returns its id
 */
const removed = async <Item>(
  remove: (id: string) => Promise<unknown>,
  word: string,
  naming: Naming<Item>,
  hint: string,
): Promise<string> => {
  const found = oneNamed(word, naming);
  const id = found ? naming.id(found) : word;
  await remove(id).catch((error: unknown) => {
    const isUnknown = error instanceof Failure && error.exitCode === EXIT.notFound && !found;
    throw isUnknown ? nothingNamed(word, naming, hint) : error;
  });
  return id;
};

export const accessCommands: readonly Command[] = [
  mint,
  list,
  revoke,
  setIssuer,
  showIssuer,
  removeIssuer,
  listGrants,
  removeGrant,
];

export const secondsIn = (text: string | undefined): number | undefined => {
  const seconds = text === undefined ? undefined : secondsOf(text);
  if (text !== undefined && seconds === undefined) {
    throw usageFailure(`--expires-in must be a time such as 3600, 30m or 24h, not "${text}".`);
  }
  return seconds;
};
