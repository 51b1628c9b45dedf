import type { HttpEvent } from '../../platform/http/event.ts';
import type { HttpReply } from '../../platform/http/reply.ts';
import { isSlug } from '../../platform/rules/addresses.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import type { SentParameters } from '../../platform/rules/sent-parameters.ts';
import type { AfterSignIn } from '../../pages/index.ts';
import { isRecent } from '../rules/command-line.ts';
import type { LiveSession } from '../steps/sessions.ts';
import { type Fields, type Site, ticketIn } from './site.ts';

/** Where the person goes on after signing in or up: to a client's authorization request, or to the console. */
export const afterSignInOf = (
  site: Site,
  { ticket = '', returnTo = '' }: { readonly ticket?: string; readonly returnTo?: string },
): AfterSignIn | undefined => {
  if (ticketIn(ticket) !== '') {
    return afterSignIn('ticket', ticket, site.resumeAt(ticket));
  }
  if (returnTo === '') return undefined;
  const value = consoleAddress(site, returnTo);
  return afterSignIn('return_to', value, site.signInAt(value));
};

export const afterSignInOfForm = (site: Site, fields: Fields): AfterSignIn | undefined =>
  afterSignInOf(site, { ticket: fields('ticket'), returnTo: fields('return_to') });

export const afterSignInOfQuery = (site: Site, sent: SentParameters): AfterSignIn | undefined =>
  afterSignInOf(site, { ticket: textIn(sent, 'ticket'), returnTo: textIn(sent, 'return_to') });

/** Destination after a refused request, from its raw query or body, which may be malformed. */
export const wantedIn = (site: Site, event: HttpEvent): AfterSignIn | undefined => {
  const text =
    event.requestContext.http.method === 'GET' ? event.rawQueryString : (event.body ?? '');
  const sent = new URLSearchParams(event.isBase64Encoded ? '' : text);
  return afterSignInOf(site, {
    ticket: sent.get('ticket') ?? '',
    returnTo: sent.get('return_to') ?? '',
  });
};

export const textIn = (sent: SentParameters, name: string): string => {
  const [first] = sent.get(name) ?? [];
  return typeof first === 'string' ? first : '';
};

/** Slug of the server that the person was invited to; empty where the text is no slug. */
export const serverIn = (text: string): string => (isSlug(text) ? text : '');

/** Lifetime of the cookie: as long as the mail's link is valid. */
const WANTED_SECONDS = DAY;

/** Stores the destination after sign-up in a cookie; without a destination, clears an older cookie. */
export const noteWanted = (
  site: Site,
  reply: HttpReply,
  wanted: AfterSignIn | undefined,
): HttpReply =>
  wanted
    ? site.wanted.set(reply, `${wanted.name}:${wanted.encoded}`, WANTED_SECONDS)
    : site.wanted.clear(reply);

/** What accounts need to know of authorization requests. */
export interface Tickets {
  /** Whether the authorization request of this ticket is still open. */
  readonly isOpenTicket: (ticket: string) => Promise<boolean>;
}

/** Where to go on after a sign-up in this browser; undefined if nothing valid is noted or the request has expired. */
export const notedWanted = async (
  { isOpenTicket }: Tickets,
  site: Site,
  event: HttpEvent,
): Promise<string | undefined> => {
  const [name, encoded = ''] = (site.wanted.read(event) ?? '').split(':');
  const value = decoded(encoded);
  if (name === 'return_to' && value !== '') return consoleAddress(site, value);
  const isTicket = name === 'ticket' && ticketIn(value) !== '';
  return isTicket && (await isOpenTicket(value)) ? site.resumeAt(value) : undefined;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

const afterSignIn = (name: AfterSignIn['name'], value: string, signIn: string): AfterSignIn => ({
  name,
  value,
  encoded: encodeURIComponent(value),
  signIn,
});

/** First page of the console: API Gateway has no routes that end in a slash. */
const FIRST_PAGE = 'servers';
const MAX_LENGTH = 500;
/** Excludes tabs, line breaks and backslashes: browsers drop the former from URLs and read `\\` as `/`. */
const PLAIN = /^\/[!-[\]-~]*$/;

/**
 * Restricts a requested redirect to a path of the console, the command-line sign-in page (which asks for consent
 * itself) or a server's public page; anything else becomes the console's first page. So links made by strangers cannot
 * use this service to redirect elsewhere.
 * Source: RFC 9700 §4.11, open redirectors.
 */
export const consoleAddress = (site: Site, wanted: string): string => {
  const { origin, console, commandLine } = site;
  const start = consoleStart(console);
  if (wanted.length > MAX_LENGTH || !PLAIN.test(wanted)) return start;
  const url = URL.parse(wanted, origin);
  // Parsed as browsers do: `..` segments are resolved, and `//host` is another origin.
  if (url?.origin !== origin) return start;
  if (url.pathname === commandLine) return `${url.pathname}${url.search}`;
  if (isServerPage(site, url.pathname)) return url.pathname;
  if (!url.pathname.startsWith(console)) return start;
  if (url.pathname === console) return start;
  return `${url.pathname}${url.search}${url.hash}`;
};

const isServerPage = (site: Site, path: string): boolean => {
  const [slug = ''] = path.split('/').slice(-2);
  return isSlug(slug) && path === site.server(slug);
};

/** Whether the session suffices for this address: the command line requires a recent sign-in. */
export const isSignedInFor = (
  { commandLine }: Site,
  address: string,
  session: LiveSession,
  now: EpochSeconds,
): boolean => !address.startsWith(`${commandLine}?`) || isRecent(session, now);

const consoleStart = (console: string): string => `${console}${FIRST_PAGE}`;

/** Link for people who followed a mail and have no client to return to. */
export const consoleLink = (site: Site) => ({
  address: site.signInAt(consoleStart(site.console)),
  label: 'Sign in to the console',
});

export const consoleStartLink = (site: Site) => ({
  address: consoleStart(site.console),
  label: 'Open the console',
});
