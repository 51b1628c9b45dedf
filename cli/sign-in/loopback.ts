import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Brought = { readonly code: string } | { readonly refused: true };

/** Page shown in the browser at the end. */
export interface Told {
  readonly heading: string;
  readonly text: string;
}

export interface Loopback {
  readonly port: number;
  /** The browser may send a code twice: `act` is called once. @returns undefined where nobody came in time */
  answered<Found>(
    act: (brought: Brought) => Promise<{ readonly told: Told; readonly found: Found }>,
    atMostMs: number,
  ): Promise<Found | undefined>;
  close(): Promise<void>;
}

const CODE = /^[\w-]{1,200}$/;

/** Milliseconds for a browser that clicked twice, whose first answer was cut off. */
const LINGER_MS = 2000;

/** Requests with a wrong `state`, method or host name change nothing. Source: RFC 8252 §7.3, §8.3, §8.9. */
export const openLoopback = async (state: string): Promise<Loopback> => {
  let take: ((brought: Brought, reply: ServerResponse) => void) | undefined;
  const server = createServer((request, reply) => {
    const found = readRequest(request, host(), state);
    if ('status' in found) return answer(reply, found.status, found.told);
    if (take) return take(found, reply);
    answer(reply, 503, { heading: 'One moment', text: 'Reload this page in a second.' });
  });
  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    answered: async (act, atMostMs) => {
      type Acted = Awaited<ReturnType<typeof act>>;
      const { promise, resolve, reject } = Promise.withResolvers<Acted | undefined>();
      const timer = setTimeout(() => resolve(undefined), atMostMs);
      const shown = Promise.withResolvers<void>();
      let acting: Promise<Acted> | undefined;
      take = (brought, reply) => {
        acting ??= act(brought);
        acting.then(({ told }) => {
          reply.once('finish', shown.resolve);
          answer(reply, 200, told);
        }, reject);
        acting.then(resolve, reject);
      };
      try {
        const acted = await promise;
        if (!acted) return undefined;
        const lingering = setTimeout(shown.resolve, LINGER_MS);
        await shown.promise.finally(() => clearTimeout(lingering));
        return acted.found;
      } finally {
        clearTimeout(timer);
      }
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const NOT_THIS = {
  heading: 'This is not the sign-in that the terminal waits for',
  text: 'Nothing has happened. Open the address that hosted-mcp login shows there.',
} as const satisfies Told;

const readRequest = (
  { headers, method, url = '' }: IncomingMessage,
  host: string,
  state: string,
): Brought | { readonly status: number; readonly told: Told } => {
  // Hosts are accepted only by IP address: DNS rebinding could let another page read the answers.
  if (headers.host !== host) return { status: 421, told: NOT_THIS };
  const sent = URL.parse(url, `http://${host}`);
  if (sent?.pathname !== '/callback') return { status: 404, told: NOT_THIS };
  if (method !== 'GET') return { status: 405, told: NOT_THIS };
  const one = (name: string): string => {
    const [value = '', ...others] = sent.searchParams.getAll(name);
    return others.length === 0 ? value : '';
  };
  if (!isSame(one('state'), state)) return { status: 400, told: NOT_THIS };
  const code = one('code');
  if (CODE.test(code)) return { code };
  return one('error') === '' ? { status: 400, told: NOT_THIS } : { refused: true };
};

const isSame = (sent: string, expected: string): boolean =>
  timingSafeEqual(digestOf(sent), digestOf(expected));
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:24px;background:#f6f7f9;color:#1a1d23}main{max-width:28rem;margin:12vh auto 0;padding:24px;background:#fff;border:1px solid #d9dde4;border-radius:12px;overflow-wrap:anywhere}h1{font-size:1.35rem;line-height:1.3;margin:0 0 8px}p{margin:0}@media(prefers-color-scheme:dark){body{background:#14161a;color:#e8eaee}main{background:#1d2026;border-color:#363b45}}';
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

const answer = (reply: ServerResponse, status: number, { heading, text }: Told): void => {
  reply.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    connection: 'close',
  });
  reply.end(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(heading)}</title><style>${STYLE}</style></head><body><main><h1>${escaped(heading)}</h1><p>${escaped(text)}</p></main></body></html>`,
  );
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
