import type { ItemOf } from '../../console/src/api/operation.ts';
import { usageFailure } from '../failure.ts';
import { plainOf } from '../text/plain.ts';
import { cell, facts } from '../text/table.ts';
import { localTime, secondsOf, timeOf } from '../text/time.ts';
import { idColumn } from './names.ts';
import { listCommand, operationCommand, removeCommand } from './operation-command.ts';

type Token = ItemOf<'GET /deployments/{slug}/tokens'>;

export const MINT_OPTIONS = {
  'expires-in': {
    value: 'TIME',
    help: 'as in 3600 or 30m; the most, and the default: 24h, or 1h where people sign in',
  },
  scope: { value: 'SCOPES', help: 'as in "mcp.tools.read"; both if omitted' },
  name: { value: 'NAME', help: 'what it is for' },
} as const;

const mint = operationCommand({
  name: 'token mint',
  summary: 'Mints a token that calls a server as its owner; it is shown this one time',
  at: 'POST /deployments/{slug}/tokens',
  options: MINT_OPTIONS,
  details: [
    'Standard output is the token and nothing else: TOKEN=$(npx --no-install hosted-mcp token mint my-api)',
  ],
  sends: ({ scope, name, ...values }) => ({
    json: { expires_in: secondsIn(values['expires-in']), scope, name },
  }),
  lines: ({ token }) => [plainOf(token)],
  note: () => 'Keep it: it is not shown again. npx --no-install hosted-mcp token rm ends it.',
});

const list = listCommand({
  name: 'token ls',
  summary: 'Lists the minted tokens of a server',
  at: 'GET /deployments/{slug}/tokens',
  columns: (items, now) => ({
    name: 'name',
    ...idColumn(
      items.filter((one) => tokenState(one, now) === 'active'),
      ({ jti }) => jti,
      (one) => one.name,
    ),
    scope: 'scope',
    created: timeOf('created_at'),
    expires: timeOf('expires_at'),
    state: (one) => tokenState(one, now),
  }),
  empty: ({ slug }) => `${slug} has no minted token.`,
});

/** @param now - epoch seconds */
const tokenState = ({ revoked, expires_at }: Token, now: number): string => {
  if (revoked === true) return 'revoked';
  return Date.parse(expires_at) <= now * 1000 ? 'expired' : 'active';
};

const revoke = removeCommand({
  name: 'token rm',
  summary: 'Revokes a minted token at once',
  at: 'DELETE /deployments/{slug}/tokens/{jti}',
  places: ['slug', 'name-or-id'],
  among: {
    what: 'token',
    list: 'GET /deployments/{slug}/tokens',
    listed: 'token ls',
    // An ended token of the same name does not make it ambiguous.
    meant: (items, word, { now }) => {
      const active = items.filter((one) => one.name === word && tokenState(one, now) === 'active');
      return active.length > 0 ? active : items;
    },
    id: ({ jti }) => jti,
    names: (one) => [one.name],
    about: (one) => `created ${cell(localTime(one.created_at))}`,
  },
  line: (_, named) => `The token ${named} no longer works.`,
});

const invite = operationCommand({
  name: 'invite',
  summary: 'Lets a person use a server, and sends them a mail with the link to it',
  at: 'POST /deployments/{slug}/invitations',
  places: ['slug', 'email'],
  details: [
    'The mail leads to the server: through sign-up, if they have no account, or the sign-in of their company.',
  ],
  sends: (_, { email = '' }) => ({ json: { email } }),
  lines: ({ email, link, accounts_by: by }, { slug }) => [
    `${plainOf(email)} may use ${slug}, and is sent a mail. To send the link yourself: ${plainOf(link)}`,
    ...(by === 'operator'
      ? ['Without an account they need one from the operator of this service.']
      : []),
    ...(by === 'company' ? ['They sign in with their company.'] : []),
  ],
});

const setIssuer = operationCommand({
  name: 'issuer set',
  changesManaged: true,
  summary: 'Accepts tokens of another issuer, for a server of mode jwt',
  at: 'PUT /deployments/{slug}/jwt-issuer',
  options: {
    issuer: { value: 'TEXT', help: 'the iss of its tokens' },
    'jwks-uri': { value: 'URL', help: 'where its keys are' },
    audience: { value: 'TEXT', help: 'the aud of its tokens' },
    algorithm: { value: 'ALG', multiple: true, help: 'as in RS256 or ES256' },
  },
  sends: async (given, { slug = '' }, { api }) => {
    const missing = Object.entries(given).find(([, value]) => !value?.[0]);
    if (missing) throw usageFailure(`--${missing[0]} is missing.`);
    const { headers } = await api.present('GET /deployments/{slug}', { path: { slug } });
    const { algorithm, 'jwks-uri': jwks_uri, ...others } = given;
    return { headers, json: { ...others, jwks_uri, algorithms: algorithm } };
  },
  lines: ({ issuer }, { slug }) => [`${slug} accepts tokens of ${plainOf(issuer)}.`],
});

const showIssuer = operationCommand({
  name: 'issuer show',
  summary: 'Shows the issuer whose tokens are accepted beside minted ones',
  at: 'GET /deployments/{slug}/jwt-issuer',
  lines: ({ issuer, jwks_uri, audience, algorithms }) =>
    facts({ Issuer: issuer, Keys: jwks_uri, Audience: audience, Algorithms: algorithms }),
});

const removeIssuer = removeCommand({
  name: 'issuer rm',
  changesManaged: true,
  summary: 'Accepts minted tokens only',
  at: 'DELETE /deployments/{slug}/jwt-issuer',
  line: ({ slug }) => `${slug} accepts minted tokens only.`,
});

const listGrants = listCommand({
  name: 'grants',
  summary: 'Lists connected clients, by person',
  at: 'GET /deployments/{slug}/grants',
  columns: (items) => ({
    user: 'email',
    client: 'client_name',
    ...idColumn(
      items,
      ({ id }) => id,
      (one) => `${cell(one.email)} ${cell(one.client_name)}`,
    ),
    scope: 'scope',
    created: timeOf('created_at'),
    refreshed: timeOf('last_refreshed_at'),
    expires: timeOf('expires_at'),
  }),
  empty: ({ slug }) => `Nobody has signed in to ${slug} yet.`,
});

const removeGrant = removeCommand({
  name: 'grants rm',
  summary: 'Revokes access, with all its tokens at once',
  at: 'DELETE /deployments/{slug}/grants/{id}',
  places: ['slug', 'email-or-id'],
  options: {
    client: { value: 'CLIENT', help: 'the name of the client, where that person has several' },
  },
  among: {
    what: 'grant',
    list: 'GET /deployments/{slug}/grants',
    listed: 'grants',
    meant: (items, _, { client }) =>
      items.filter((one) => client === undefined || one.client_name === client),
    id: ({ id }) => id,
    names: (one) => [one.email, one.client_name],
    about: (one) =>
      `${cell(one.client_name)} of ${cell(one.email)}, created ${cell(localTime(one.created_at))}`,
  },
  line: (_, named) => `The grant ${named} and all its tokens are revoked.`,
});

export const accessCommands = [
  invite,
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
