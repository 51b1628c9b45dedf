import { NoAnswer, type TargetAnswer } from '../rules/target.ts';
import type { Hop } from './hop.ts';

const MAX_REDIRECTS = 5;

/**
 * Sends a request, and again where answers redirect it, as `fetch` does: after 303, and after 301 or 302 to a POST, as
 * a GET without body.
 *
 * @param mayFollow - where it says no, the redirect itself is the answer
 * @throws NoAnswer `redirect_refused` for the sixth redirect, or one to an address that is none
 * Source: Fetch standard, "HTTP-redirect fetch"; RFC 9110 §15.4.
 */
export const following = async (
  first: Hop,
  send: (hop: Hop) => Promise<TargetAnswer>,
  mayFollow: (from: URL, to: URL) => boolean,
): Promise<TargetAnswer> => {
  let hop = first;
  for (let followed = 0; ; followed += 1) {
    const answer = await send(hop);
    const url = redirection(hop.url, answer);
    if (!url || !mayFollow(hop.url, url)) return answer;
    if (followed === MAX_REDIRECTS) {
      throw new NoAnswer(
        'redirect_refused',
        `${first.url.origin}: more than ${MAX_REDIRECTS} redirects`,
      );
    }
    hop = becomesGet(hop.method, answer.status) ? asGet(hop, url) : { ...hop, url };
  }
};

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const redirection = (from: URL, { status, headers }: TargetAnswer): URL | undefined => {
  const location = headers['location'];
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const url = URL.parse(location, from.href);
  if (!url) throw new NoAnswer('redirect_refused', `${from.origin}: redirects to no valid address`);
  return url;
};

const becomesGet = (method: string, status: number): boolean =>
  (status === 303 && method !== 'GET' && method !== 'HEAD') ||
  ((status === 301 || status === 302) && method === 'POST');

const asGet = ({ headers }: Hop, url: URL): Hop => ({
  method: 'GET',
  url,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('content-')),
  ),
});
