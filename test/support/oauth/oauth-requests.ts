import type { HttpReply } from '../../../layers/platform/http/reply.ts';
import { REDIRECT_URI, type TestCode, type TestOAuth, VERIFIER } from './oauth.ts';
import { anEvent, type SentHeaders } from '../mcp/router-events.ts';

/** A path of the authorization server. */
export const oauth = (path: string): string => `/v1/mcp-oauth-server${path}`;

type Parameters = Readonly<Record<string, string | undefined>>;

/** A POST of a form. What is undefined is left out. */
export const form = (path: string, sent: Parameters | string, headers: SentHeaders = {}) =>
  anEvent('POST', oauth(path), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof sent === 'string' ? sent : new URLSearchParams(present(sent)).toString(),
  });

/** A POST of JSON, or of a text that pretends to be. */
export const jsonPost = (path: string, sent: unknown, headers: SentHeaders = {}) =>
  anEvent('POST', oauth(path), {
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof sent === 'string' ? sent : JSON.stringify(sent),
  });

/** The same request of somebody else. */
export const sentFrom = (sourceIp: string, event: ReturnType<typeof form>) => {
  const { requestContext: context } = event;
  return { ...event, requestContext: { ...context, http: { ...context.http, sourceIp } } };
};

export const basic = (id: string, secret: string): SentHeaders => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

const present = (sent: Parameters): [string, string][] =>
  Object.entries(sent).filter((pair): pair is [string, string] => pair[1] !== undefined);

/** What a client sends for the tokens of a code. */
export const exchangeOf = ({ text, grant }: TestCode, over: Parameters = {}): Parameters => ({
  grant_type: 'authorization_code',
  code: text,
  redirect_uri: REDIRECT_URI,
  client_id: grant.clientId,
  code_verifier: VERIFIER,
  ...over,
});

export const bodyOf = (reply: HttpReply): Record<string, unknown> => JSON.parse(reply.body);

/** What the service answers, as far as tests look at it. */
export const answered = (reply: HttpReply) => ({
  status: reply.statusCode,
  error: reply.body === '' ? undefined : bodyOf(reply)['error'],
});

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Redeems a code. */
export const redeem = async (service: TestOAuth, code: TestCode): Promise<Tokens> =>
  bodyOf(await service.send(form('/token', exchangeOf(code)))) as unknown as Tokens;

/** Whether an access token opens its user's information. */
export const opens = async (service: TestOAuth, accessToken: unknown): Promise<boolean> => {
  const headers = { authorization: `Bearer ${accessToken}` };
  const reply = await service.send(anEvent('GET', oauth('/userinfo'), { headers }));
  return reply.statusCode === 200;
};

/** What a client sends for a new access token. */
export const refreshOf = (
  { grant }: TestCode,
  { refresh_token }: Pick<Tokens, 'refresh_token'>,
  over: Parameters = {},
): Parameters => ({
  grant_type: 'refresh_token',
  refresh_token,
  client_id: grant.clientId,
  ...over,
});
