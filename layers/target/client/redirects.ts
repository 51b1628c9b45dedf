import { NoAnswer, SAFE, type TargetAnswer } from '../rules/target.ts';
import { redirectPlace } from '../rules/redirect.ts';
import { METHOD_OVERRIDE } from '../rules/protected-headers.ts';
import type { Hop } from './exchange.ts';

const MAX_REDIRECTS = 5;

/**
 * Sends a request and follows redirects. 303 makes it a GET without body, 307 and 308 repeat it. 301 and 302 repeat a
 * safe request, and others if the new address is only another spelling (a slash at the end); otherwise they make it a
 * GET, which the answer says.
 * @param mayFollow - if false, the redirect itself is the answer
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
    // The redirect that made it a GET is reported, whatever redirects follow.
    redirected = {
      ...(redirected?.isGet ? redirected : { status: answer.status, method: hop.method }),
      url: url.href,
      ...(isGet && { isGet }),
    };
    hop = isGet ? asGet(hop, url) : { ...hop, url };
  }
};

/** Undefined also for a malformed address: then the redirect itself is the answer. */
const redirection = (from: URL, answer: TargetAnswer): URL | undefined => {
  const place = redirectPlace(answer);
  return place === undefined ? undefined : (URL.parse(place, from.href) ?? undefined);
};

const becomesGet = ({ method, url: from }: Hop, to: URL, status: number): boolean => {
  if (method === 'GET' || method === 'HEAD') return false;
  if (status === 303) return true;
  return (status === 301 || status === 302) && !SAFE.has(method) && !isRespelled(from, to);
};

/**
 * Whether two addresses differ only in spelling: https for http, a slash at the end, or doubled slashes. An identical
 * address does not count: it shows a submitted form again.
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

/** The same host with https instead of http, both at their default ports. */
export const isUpgrade = (from: URL, to: URL): boolean =>
  from.protocol === 'http:' &&
  to.protocol === 'https:' &&
  from.hostname === to.hostname &&
  from.port === '' &&
  to.port === '';

const asGet = ({ headers, headerLines }: Hop, url: URL): Hop => ({
  method: 'GET',
  url,
  ...(headerLines && { headerLines }),
  headers: Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !name.startsWith('content-') && name !== METHOD_OVERRIDE,
    ),
  ),
});
