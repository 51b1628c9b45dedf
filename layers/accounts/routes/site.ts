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
  readonly basics: { readonly root: string; readonly host: string };
  readonly session: Cookie;
  readonly canSignUp: boolean;
  /** Destination after sign-up, stored when the mail is requested, since the mail's link is opened without it. */
  readonly wanted: Cookie;
  /** Id of the identity provider last used in this browser. */
  readonly company: Cookie;
  /** Marks a browser that has signed in to this account before. */
  device(email: string): Cookie;
  resumeAt(ticket: string): string;
  /** Path of the public page that explains how to connect to a server. */
  server(slug: string): string;
  /** Path prefix of the console's pages, with a trailing slash. */
  readonly console: string;
  readonly commandLine: string;
  /** Login page that continues to this path. */
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

/** Keeps the address itself out of the cookie's name. */
const deviceSuffix = (email: string): string =>
  createHash('sha256').update(canonicalEmail(email)).digest('hex').slice(0, 16);

/** Renders a page. The template engine is loaded on first use, to keep it out of other requests' cold starts. */
export const show = async (
  statusCode: number,
  draw: (pages: Pages) => ReturnType<Pages['noticePage']>,
  headers?: Headers,
): Promise<HttpReply> => htmlPage(statusCode, draw(await import('../../pages/index.ts')), headers);

export const showNotice = (site: Site, notice: Omit<NoticeView, keyof PageBasics>) =>
  show(200, (pages) => pages.noticePage({ ...site.basics, ...notice }));

/** Value of a field that was sent once; empty otherwise. */
export type Fields = (name: string) => string;

/** Endpoint for a form, which must be sent from this origin. Source: docs/decisions/oauth.md, "Forms of the pages". */
export const formEndpoint =
  (site: Site, handler: (event: RoutedEvent, fields: Fields) => Promise<HttpReply>): Endpoint =>
  async (event) => {
    const { origin, 'sec-fetch-site': fetchSite } = event.headers;
    checkFormOrigin({ origin, fetchSite }, site.origin);
    const sent = bodyParameters(event);
    return handler(event, (name) => optionalParameter(sent, name) ?? '');
  };

const TICKET = /^[\w-]{43}$/;

/** The text if it has the form of a ticket; empty otherwise. */
export const ticketIn = (text: unknown): string =>
  typeof text === 'string' && TICKET.test(text) ? text : '';

/** The `token` parameter of a mail's link; empty where it is missing or repeated. */
export const tokenIn = (sent: SentParameters): string => {
  const [token, ...others] = sent.get('token') ?? [];
  return others.length === 0 && typeof token === 'string' ? token : '';
};
