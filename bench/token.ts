/**
 * How long /token takes through the whole local service (gateway, function, embedded DynamoDB), for a
 * code and for a refresh token; and how much longer a request to a deployment takes that asks for an
 * access token than one that asks for none. Client and service are processes of their own.
 *
 * Goals: the code grant of a public client in less than 15 ms in the median; one call of AWS more for
 * an access token.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aFormBrowser } from '../test/support/oauth/form-browser.ts';
import { aRawClient, type RawTokens } from '../test/support/oauth/raw-oauth-client.ts';
import { description, rpc } from './fifty-tools.ts';
import { type RunningService, startService } from '../test/support/service/service.ts';
import { median, ms, percentile, printTable, type Row } from './table.ts';

const WARM_UP = 50;
const GRANTS = 200;
const REQUESTS = 1000;

export const bench = async (): Promise<void> => {
  await using service = await startGuarded();
  const owner = await service.owner();
  const browser = aFormBrowser(new URL(service.baseUrl).origin);
  const issuer = `${service.baseUrl}/mcp-oauth-server`;
  const server = `${service.baseUrl}/mcp-router/guarded`;
  const guarded = { slug: 'guarded', url: server, messagesUrl: `${server}/messages` };

  /** Codes are consented to beforehand, one after the other; then each is redeemed and refreshed. */
  const grantsOf = async (method: 'none' | 'client_secret_post') => {
    const client = await aRawClient({ issuer, fetch }, method);
    const redeemed: number[] = [];
    const refreshed: number[] = [];
    for (let count = 0; count < WARM_UP + GRANTS; count += 1) {
      const code = await client.code(browser, owner, guarded);
      const [tokens, redemption] = await timed<RawTokens>(() => client.redeem(code));
      const [, refresh] = await timed(() => client.refresh(tokens.refresh_token));
      redeemed.push(redemption);
      refreshed.push(refresh);
    }
    return { redeemed: redeemed.slice(WARM_UP), refreshed: refreshed.slice(WARM_UP) };
  };
  const open = await grantsOf('none');
  const confidential = await grantsOf('client_secret_post');
  printTable(
    `POST /token, ${GRANTS} each`,
    ['median', 'p95'],
    [
      row('code, public client', open.redeemed),
      row('code, client_secret_post', confidential.redeemed),
      row('refresh, public client', open.refreshed),
      row('refresh, client_secret_post', confidential.refreshed),
    ],
    ['goal: less than 15 ms in the median for the code of a public client'],
  );

  const client = await aRawClient({ issuer, fetch });
  const { access_token } = await client.tokens(browser, owner, guarded);
  const took = { none: [] as number[], oauth: [] as number[] };
  for (let count = 0; count < WARM_UP + REQUESTS; count += 1) {
    took.none.push((await timed(() => ping(`${service.baseUrl}/mcp-router/sample/messages`)))[1]);
    took.oauth.push((await timed(() => ping(guarded.messagesUrl, access_token)))[1]);
  }
  const [none, oauth] = [took.none.slice(WARM_UP), took.oauth.slice(WARM_UP)];
  printTable(
    `A request to a deployment, ${REQUESTS} each`,
    ['median', 'p95'],
    [
      row('none', none),
      row('oauth', oauth),
      [
        '  added',
        ms(median(oauth) - median(none)),
        ms(percentile(oauth, 95) - percentile(none, 95)),
      ],
    ],
    ['a test counts the calls of AWS behind it: one more, next to that for the deployment'],
  );
};

const row = (title: string, values: readonly number[]): Row => [
  title,
  ms(median(values)),
  ms(percentile(values, 95)),
];

const ping = (url: string, token?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: rpc('resources/list'),
  });

/** The answer, and how long it took until it was read. @throws Error for any but 200 */
const timed = async <Body>(send: () => Promise<Response>): Promise<[Body, number]> => {
  const started = performance.now();
  const answer = await send();
  const text = await answer.text();
  const took = performance.now() - started;
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${text}`);
  return [JSON.parse(text) as Body, took];
};

const LIMITS = {
  authorize_per_hour_per_ip: 1_000_000,
  authorize_per_minute_per_client: 1_000_000,
  token_per_minute_per_client: 1_000_000,
  pro_requests_per_hour: 1_000_000,
  pro_requests_per_month: 1_000_000,
  public_requests_per_minute_per_ip: 1_000_000,
};

/** `npm start` with a deployment for its owner only, and the sample for everybody. */
const startGuarded = async (): Promise<RunningService> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, description('https://api.example.com'));
  const args = ['--openapi', file, '--slug', 'guarded', '--auth', 'oauth'];
  const service = await startService({ args, limits: LIMITS });
  await rm(folder, { recursive: true });
  return service;
};
