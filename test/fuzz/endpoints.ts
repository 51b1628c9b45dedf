import { DEFAULT_LIMITS, type LimitName } from '../../layers/limits/rules/limits.ts';
import { mailsAt } from '../support/oauth/people.ts';
import type { Random } from '../support/random.ts';
import { aRawClient } from '../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';
import { managementRequests } from './management-requests.ts';
import type { Fuzzed } from './counts.ts';
import { mutatedText } from './mutate-text.ts';
import { mutatedTree } from './mutate-tree.ts';
import { type FuzzedAnswer, type FuzzedRequest, fuzzOverHttp } from './over-http.ts';

/** A request that was right once: its fields make the query, the form or the JSON document. */
export interface Seed {
  readonly method: string;
  readonly path: string;
  readonly as: 'query' | 'form' | 'json';
  readonly fields: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const MANY = 10_000_000;
const TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json' };

/**
 * Sends the whole service requests that were right once, to every endpoint of the authorization
 * server, the accounts and the management API that takes a body or a query. Whatever is wrong with
 * them, the answer blames the caller, says so in its protocol's form and costs little.
 */
export const fuzzEndpoints = async (count: number, seed: number): Promise<Fuzzed> => {
  const service = await startWholeService(unlimited());
  try {
    const seeds = await seedsFor(service);
    const requestFor = (random: Random) => requestOf(service.baseUrl, random.pick(seeds), random);
    return await fuzzOverHttp('endpoints', count, seed, requestFor, outcomeOf);
  } finally {
    await service.stop();
  }
};

/** No request is refused for those before it. */
const unlimited = (): Partial<Record<LimitName, number>> =>
  Object.fromEntries(
    Object.keys(DEFAULT_LIMITS)
      .filter((name) => /_per_(minute|hour|day|month|deployment|user)(_|$)/.test(name))
      .map((name) => [name, MANY]),
  );

const seedsFor = async (service: WholeService): Promise<readonly Seed[]> => {
  const person = await service.person();
  return [...(await accountSeeds(service, person)), ...(await oauthSeeds(service, person))].concat(
    await managementRequests(service, person),
  );
};

const ACCOUNTS = '/mcp-management/accounts';
const OAUTH = '/mcp-oauth-server';

/** Of blocks that fit together in many ways: whoever searches for them searches for long. */
const BLOCKS = `x${Array.from('0123456789012345678901234', (digit) => digit.repeat(4)).join('')}y`;

const accountSeeds = async (service: WholeService, person: Person): Promise<readonly Seed[]> => {
  const { email, password } = person;
  const post = (path: string, fields: object): Seed => ({
    method: 'POST',
    path,
    as: 'json',
    fields,
  });
  await fetch(`${service.baseUrl}${ACCOUNTS}`, {
    method: 'POST',
    headers: { 'content-type': TYPES.json },
    body: JSON.stringify({ email: 'newcomer@example.com' }),
  });
  const mail = (await mailsAt(service)).at(-1);
  const chosen = { token: mail?.token, password: 'a'.repeat(40), name: 'Ada' };
  return [
    post(ACCOUNTS, { email: 'somebody@example.com' }),
    post(`${ACCOUNTS}/verify`, chosen),
    post(`${ACCOUNTS}/verify`, { ...chosen, password: BLOCKS }),
    post(`${ACCOUNTS}/resend-verification`, { email }),
    post(`${ACCOUNTS}/password-reset`, { email }),
    post(`${ACCOUNTS}/password-reset/confirm`, chosen),
    post('/mcp-management/sessions', { email, password, device_token: 'x'.repeat(43) }),
  ];
};

const oauthSeeds = async (service: WholeService, person: Person): Promise<readonly Seed[]> => {
  const server = await service.publish(person);
  const client = await aRawClient(service);
  const confidential = await aRawClient(service, 'client_secret_post');
  const { access_token, refresh_token } = await client.tokens(service.browser(), person, server);
  const own = { client_id: client.id };
  const form = (path: string, fields: object): Seed => ({
    method: 'POST',
    path: `${OAUTH}${path}`,
    as: 'form',
    fields,
  });
  const authorize = Object.fromEntries(client.address(server).searchParams);
  const registration = {
    client_name: 'A client',
    redirect_uris: ['http://127.0.0.1/callback', 'https://app.example.com/cb'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'tools:read tools:execute',
    client_uri: 'https://app.example.com',
    logo_uri: 'https://app.example.com/logo.png',
  };
  const code = {
    grant_type: 'authorization_code',
    code: 'c'.repeat(43),
    redirect_uri: 'http://127.0.0.1/callback',
    code_verifier: 'v'.repeat(43),
  };
  return [
    { method: 'POST', path: `${OAUTH}/register`, as: 'json', fields: registration },
    { method: 'GET', path: `${OAUTH}/authorize`, as: 'query', fields: authorize },
    form('/authorize', { ...authorize, decision: 'approve', csrf: 'x' }),
    form('/login', { ...person, csrf: 'x', request: 'y' }),
    form('/signup', { email: 'another@example.com' }),
    form('/reset', { email: person.email }),
    form('/reset/confirm', { token: 't', password: 'p'.repeat(20), repeated: 'p'.repeat(20) }),
    form('/verify', { token: 't', password: 'p'.repeat(20), repeated: 'p'.repeat(20) }),
    form('/token', { ...code, ...own, resource: server.url }),
    form('/token', { grant_type: 'refresh_token', refresh_token, ...own }),
    form('/token', { ...code, client_id: confidential.id, client_secret: confidential.secret }),
    form('/revoke', { token: access_token, token_type_hint: 'access_token', ...own }),
  ];
};

const requestOf = (baseUrl: string, seed: Seed, random: Random): FuzzedRequest => {
  const { method, path, as, fields, headers = {} } = seed;
  const url = `${baseUrl}${path}`;
  const tree = random.oneIn(10) ? fields : mutatedTree(fields, random);
  if (as === 'query') {
    return { method, url: `${url}?${formOf(tree).slice(0, 9000)}`, headers };
  }
  const text = as === 'form' ? formOf(tree) : (JSON.stringify(tree) ?? '');
  const body = random.oneIn(4) ? mutatedText(text, random) : text;
  return { method, url, headers: { ...headers, 'content-type': TYPES[as] }, body };
};

/** A tree as a form: names of arrays stand again, what is deeper is text. */
const formOf = (tree: unknown): string => {
  const pairs = Object.entries(tree ?? {}).flatMap(([name, value]): [string, string][] =>
    [value]
      .flat()
      .slice(0, 2000)
      .map((one) => [name, textOf(one)]),
  );
  return new URLSearchParams(pairs).toString();
};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/**
 * Errors of OAuth are JSON with `error`, those of the management API problems with `code`; people
 * are shown a page. Source: RFC 6749, section 5.2; RFC 9457, section 3.
 */
const outcomeOf = ({ status, contentType, text }: FuzzedAnswer): string => {
  const isRight =
    status < 400 ||
    contentType.startsWith('text/html') ||
    (contentType.startsWith('application/json') && isText(JSON.parse(text).error)) ||
    (contentType.startsWith('application/problem+json') && isText(JSON.parse(text).code));
  if (status >= 500 || status === 429) return `FAULT status ${status}: ${text.slice(0, 200)}`;
  return isRight ? `status ${status}` : `FAULT ${status} as ${contentType}: ${text.slice(0, 200)}`;
};

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
