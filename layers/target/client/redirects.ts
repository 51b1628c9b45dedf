import { NoAnswer, type TargetAnswer } from '../rules/target.ts';
import { redirectPlace } from '../rules/redirect.ts';
import type { Hop } from './exchange.ts';

const MAX_REDIRECTS = 5;

/**
 * Sends a request, and again where answers redirect it: after 303 as a GET without body, after 307 and 308 as it is. After
 * 301 and 302 what changes something is repeated where only the spelling of the address differs, as servers that want
 * a slash at its end have it, and is a GET otherwise: the answer then says so.
 *
 * @param mayFollow - where it says no, the redirect itself is the answer
 * @throws NoAnswer `redirect_refused` for the sixth redirect
 * Source: RFC 9110 §15.4; docs/outgoing-calls.md, "Redirects".
 */
export const following = async (
  first: Hop,
  send: (hop: Hop) => Promise<TargetAnswer>,
  mayFollow: (from: URL, to: URL) => boolean,
): Promise<TargetAnswer> => {
  let hop = first;
  let redirected: TargetAnswer['redirected'];
  for (let followed = 0; ; followed += 1) {
    const answer = await send(hop);
    const url = redirection(hop.url, answer);
    if (!url || !mayFollow(hop.url, url)) return redirected ? { ...answer, redirected } : answer;
    if (followed === MAX_REDIRECTS) {
      throw new NoAnswer(
        'redirect_refused',
        `${first.url.origin}: more than ${MAX_REDIRECTS} redirects`,
      );
    }
    const isGet = becomesGet(hop, url, answer.status);
    // What turned it into a GET is what has to be told, however far the GET is redirected.
    redirected = {
      ...(redirected?.isGet ? redirected : { status: answer.status, method: hop.method }),
      url: url.href,
      ...(isGet && { isGet }),
    };
    hop = isGet ? asGet(hop, url) : { ...hop, url };
  }
};

/** @returns undefined as well where the place is no address: the answer then is the redirect itself */
const redirection = (from: URL, answer: TargetAnswer): URL | undefined => {
  const place = redirectPlace(answer);
  return place === undefined ? undefined : (URL.parse(place, from.href) ?? undefined);
};

/** They change nothing, wherever they are sent. Source: RFC 9110 §9.2.1; OpenAPI 3.2.0, "Path Item Object", `query`. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE']);

const becomesGet = ({ method, url: from }: Hop, to: URL, status: number): boolean => {
  if (method === 'GET' || method === 'HEAD') return false;
  if (status === 303) return true;
  return (status === 301 || status === 302) && !SAFE.has(method) && !isRespelled(from, to);
};

/**
 * Whether an address is another spelling of the same: with https, with or without a slash at its end, with one slash
 * for two. The very same address is none, where forms that were sent are shown again.
 */
const isRespelled = (from: URL, to: URL): boolean => {
  const isElsewhere = from.origin !== to.origin && !isUpgrade(from, to);
  if (isElsewhere || from.search !== to.search) return false;
  const isSame = from.origin === to.origin && from.pathname === to.pathname;
  return !isSame && plainPath(from) === plainPath(to);
};

const plainPath = ({ pathname }: URL): string =>
  pathname
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');

/** Whether an address is at the same host, with https in place of http, each at its own port. */
export const isUpgrade = (from: URL, to: URL): boolean =>
  from.protocol === 'http:' &&
  to.protocol === 'https:' &&
  from.hostname === to.hostname &&
  from.port === '' &&
  to.port === '';

const asGet = ({ headers }: Hop, url: URL): Hop => ({
  method: 'GET',
  url,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('content-')),
  ),
});
