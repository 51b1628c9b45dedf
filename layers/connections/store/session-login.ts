import {
  lifeIn,
  lifeOfJwt,
  sessionCredential,
  tokenPlace,
} from '../../credentials/rules/session-login.ts';
import { resolvePointer } from '../../platform/rules/json/pointer.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { GuardedFetch } from '../../target/client/guarded-fetch.ts';
import type { ConnectedCredential } from '../../target/rules/credential.ts';
import { TokenUnavailable } from '../rules/token-failure.ts';
import { SENDABLE_TOKEN, type TokenSource } from '../rules/token-source.ts';
import { unanswered } from './token-endpoints.ts';

type Session = ConnectedCredential<'session'>;

/**
 * Sessions of an API with its own login, whose request goes only to the credential's origins.
 * Source: docs/decisions/credentials.md, "Logins".
 */
export const sessions = ({
  clock,
  fetch,
}: {
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
}): TokenSource<'session'> => ({
  ask: async (credential, _use, _place, trust) => {
    const { request, origins, lifetimeSeconds, expiry } = credential;
    if (!request) throw new TokenUnavailable('missing', 'no login');
    const { method, url, headers, body } = request;
    if (!origins.includes(URL.parse(url)?.origin ?? '')) {
      throw new TokenUnavailable('token_endpoint_refused', 'the login is on another origin');
    }
    const response = await fetch(url, {
      method,
      headers,
      ...trust,
      ...(body !== undefined && { body: Buffer.from(body, 'base64') }),
    }).catch((error: unknown) => {
      throw unanswered(error);
    });
    const { status } = response;
    if (status >= 400) throw await refused(response, request);
    if (status >= 300) throw unusable(`it redirects (${status})`);
    const answer = await jsonOf(response);
    const token = tokenIn(credential, response, answer);
    const said = expiry === undefined ? undefined : lifeIn(valueAt(answer, expiry), clock.now());
    const lives = [said, lifetimeSeconds].filter((life) => life !== undefined);
    return {
      sent: sessionCredential(credential, token),
      lifeSeconds: lives.length > 0 ? Math.min(...lives) : lifeOfJwt(token, clock.now()),
    };
  },
});

const refused = async (
  response: Response,
  request: NonNullable<Session['request']>,
): Promise<TokenUnavailable> => {
  const { status } = response;
  const { loginMessage } = await import('../rules/refusal-message.ts');
  const body = await response.text().catch(() => '');
  const said = loginMessage(body, request);
  return status >= 500 || status === 429
    ? new TokenUnavailable('token_endpoint_failed', `status ${status}`, undefined, said)
    : new TokenUnavailable('token_refused', `status ${status}`, `http_${status}`, said);
};

/** @param where - the place and the type of what was found there, never a value */
const unusable = (where: string) => new TokenUnavailable('login_answer_unusable', where);

const tokenIn = ({ token: said }: Session, response: Response, answer: unknown): string => {
  const place = tokenPlace(said);
  switch (place?.in) {
    case 'header':
      return usable(said, response.headers.get(place.name));
    case 'cookie':
      return usable(said, cookieIn(response.headers.get('set-cookie') ?? '', place.name));
    case 'body':
      return usable(said, valueAt(answer, place.pointer));
    case undefined:
      throw unusable(`${said} is no place`);
  }
};

const usable = (where: string, found: unknown): string => {
  if (typeof found === 'string' && SENDABLE_TOKEN.test(found)) return found;
  const what = typeof found === 'string' ? 'a text that cannot be sent' : kindOf(found);
  throw unusable(`at ${where} is ${what}`);
};

const kindOf = (found: unknown): string =>
  found === undefined || found === null
    ? 'nothing'
    : Array.isArray(found)
      ? 'a list'
      : `a ${typeof found}`;

const jsonOf = (response: Response): Promise<unknown> =>
  response.text().then(jsonOrUndefined, () => undefined);

const valueAt = (answer: unknown, pointer: string): unknown =>
  resolvePointer(answer as never, pointer);

/** Finds a cookie among joined `Set-Cookie` headers: attributes follow their cookie. Source: RFC 6265 §4.1.1. */
const cookieIn = (header: string, name: string): string | undefined => {
  for (const part of header.split(',')) {
    const [pair = ''] = part.split(';', 1);
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
};
