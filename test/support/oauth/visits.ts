import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import type { HttpReply } from '../../../layers/platform/http/reply.ts';
import { aFormBrowser, type FormBrowser } from './form-browser.ts';
import { CHALLENGE, REDIRECT_URI, type TestOAuth } from './oauth.ts';
import { anAddress, anEvent, type SentHeaders } from '../mcp/router-events.ts';

export const ORIGIN = 'https://mcp.example.com';

type Sent = Readonly<Record<string, string | undefined>>;

/** A path of the authorization server with a query. What is undefined is left out. */
export const pathTo = (path: string, query: Sent | string = {}): string => {
  const text =
    typeof query === 'string'
      ? query
      : new URLSearchParams(
          Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined),
        ).toString();
  return `/v1/mcp-oauth-server${path}${text === '' ? '' : `?${text}`}`;
};

/** A GET as the gateway hands it over. */
export const aGet = (path: string, over: Partial<HttpEvent> & { headers?: SentHeaders } = {}) => {
  const [rawPath = '', rawQueryString = ''] = path.split(/\?(.*)/s);
  return { ...anEvent('GET', rawPath), rawQueryString, ...over };
};

/** What a client sends a browser to /authorize with. */
export const aRequest = (over: Sent = {}): Sent => ({
  response_type: 'code',
  redirect_uri: REDIRECT_URI,
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  state: 'st&te/+ %25',
  ...over,
});

export interface Visitor extends FormBrowser {
  /** Opens /authorize. */
  authorize(over: Sent): ReturnType<FormBrowser['open']>;
  /** The latest answer, as it was before redirects were followed. */
  readonly replies: readonly HttpReply[];
}

/** A browser in front of the function, at an address of its own. */
export const aVisitor = (
  service: Pick<TestOAuth, 'send'>,
  {
    headers: always = {},
    sourceIp = anAddress(),
  }: { headers?: SentHeaders; sourceIp?: string } = {},
): Visitor => {
  const replies: HttpReply[] = [];

  const send = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(input));
    const { cookie, ...headers } = { ...(init.headers as Record<string, string>), ...always };
    const reply = await service.send({
      ...anEvent(init.method ?? 'GET', decodeURIComponent(pathname), {
        headers,
        sourceIp,
        ...(init.body !== undefined && { body: String(init.body) }),
      }),
      rawQueryString: search.slice(1),
      ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    });
    replies.push(reply);
    return responseOf(reply);
  };

  const browser = aFormBrowser(ORIGIN, send as typeof fetch);
  return {
    ...browser,
    authorize: (over) => browser.open(`${ORIGIN}${pathTo('/authorize', aRequest(over))}`),
    replies,
  };
};

const responseOf = (reply: HttpReply): Response => {
  const headers = new Headers(reply.headers);
  for (const cookie of reply.cookies ?? []) headers.append('set-cookie', cookie);
  const { statusCode: status, body, isBase64Encoded } = reply;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return new Response(bytes.length === 0 ? null : bytes, { status, headers });
};

/** Where a page leads to, besides its forms. */
export const linksOf = ({ html }: { readonly html: string }): readonly string[] =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&'),
  );

/** What a page says, without its markup. */
export const wordsOf = (html: string): string =>
  html
    .replace(/<(style|title|svg)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
