import { createHash } from 'node:crypto';
import { canonicalEmail } from '../rules/email.ts';
import { bodyParameters, type RoutedEvent } from '../../platform/http/event.ts';
import { cookie, type Cookie, sessionCookie } from '../../platform/http/cookies.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { type Headers, htmlPage, type HttpReply } from '../../platform/http/reply.ts';
import {
  authorizationServer,
  consolePages,
  routerAddresses,
} from '../../platform/rules/addresses.ts';
import { checkFormOrigin } from '../../platform/rules/origin.ts';
import { optionalParameter, type SentParameters } from '../../platform/rules/sent-parameters.ts';
import type { NoticeView, PageBasics } from '../../pages/index.ts';

type Pages = typeof import('../../pages/index.ts');

export interface Site {
  readonly origin: string;
  /** Goes into every page's view. */
  readonly basics: { readonly root: string; readonly host: string };
  readonly session: Cookie;
  readonly canSignUp: boolean;
  /** Where a browser wanted to be that asked for the mail of a sign-up: its link may be opened there. */
  readonly wanted: Cookie;
  /** The company that somebody has signed in with here, by the id of its provider. */
  readonly company: Cookie;
  /** By which a browser is known to have signed in to this account before. */
  device(email: string): Cookie;
  /** Where the browser goes on with a ticket. */
  resumeAt(ticket: string): string;
  /** The path of the page that says how a server is connected. */
  server(slug: string): string;
  /** The path of the console's pages, a slash at its end. */
  readonly console: string;
  /** The path of the page where somebody signs in at a command line. */
  readonly commandLine: string;
  /** The page where somebody signs in who goes on to one of these. */
  signInAt(path: string): string;
}

export const siteOf = (baseUrl: string, canSignUp = true): Site => {
  const { origin, host, pathname: root } = new URL(authorizationServer(baseUrl));
  return {
    origin,
    basics: { root, host },
    session: sessionCookie(baseUrl),
    canSignUp,
    wanted: cookie('mcp-wanted', baseUrl),
    company: cookie('mcp-company', baseUrl),
    server: (slug) => new URL(routerAddresses(baseUrl, slug).docs).pathname,
    device: (email) => cookie(`mcp-device-${deviceSuffix(email)}`, baseUrl),
    resumeAt: (ticket) => `${root}/authorize?ticket=${encodeURIComponent(ticket)}`,
    signInAt: (path) => `${root}/sign-in?return_to=${encodeURIComponent(path)}`,
    commandLine: `${root}/sign-in/command-line`,
    console: new URL(consolePages(baseUrl)).pathname,
  };
};

/** Names no address to whoever sees the cookie, and is short. */
const deviceSuffix = (email: string): string =>
  createHash('sha256').update(canonicalEmail(email)).digest('hex').slice(0, 16);

/** A page; the template engine is loaded when somebody looks, so that it costs no other request's cold start. */
export const show = async (
  statusCode: number,
  draw: (pages: Pages) => ReturnType<Pages['noticePage']>,
  headers?: Headers,
): Promise<HttpReply> => htmlPage(statusCode, draw(await import('../../pages/index.ts')), headers);

/** A page that says one thing. */
export const showNotice = (site: Site, notice: Omit<NoticeView, keyof PageBasics>) =>
  show(200, (pages) => pages.noticePage({ ...site.basics, ...notice }));

/** The one value of a field; empty if it was not sent. */
export type Fields = (name: string) => string;

/** What a page's form is posted to. Source: docs/decisions/oauth.md, "Forms of the pages". */
export const formEndpoint =
  (site: Site, handler: (event: RoutedEvent, fields: Fields) => Promise<HttpReply>): Endpoint =>
  async (event) => {
    const { origin, 'sec-fetch-site': fetchSite } = event.headers;
    checkFormOrigin({ origin, fetchSite }, site.origin);
    const sent = bodyParameters(event);
    return handler(event, (name) => optionalParameter(sent, name) ?? '');
  };

const TICKET = /^[\w-]{43}$/;

/** A ticket to go back to, for who may have come from a login; empty for what cannot be one. */
export const ticketIn = (text: unknown): string =>
  typeof text === 'string' && TICKET.test(text) ? text : '';

/** The token of a mail's link; empty for none, or two. */
export const tokenIn = (sent: SentParameters): string => {
  const [token, ...others] = sent.get('token') ?? [];
  return others.length === 0 && typeof token === 'string' ? token : '';
};
