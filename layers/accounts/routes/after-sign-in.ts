import type { HttpEvent } from '../../platform/http/event.ts';
import type { HttpReply } from '../../platform/http/reply.ts';
import { isSlug } from '../../platform/rules/addresses.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import type { SentParameters } from '../../platform/rules/sent-parameters.ts';
import type { AfterSignIn } from '../../pages/index.ts';
import { isRecent } from '../rules/command-line.ts';
import type { LiveSession } from '../steps/sessions.ts';
import { type Fields, type Site, ticketIn } from './site.ts';

/** What a person came from who signs in, or makes an account first: an application, or the console. */
export const afterSignInOf = (
  site: Site,
  { ticket = '', returnTo = '' }: SentAfterSignIn,
): AfterSignIn | undefined => {
  if (ticketIn(ticket) !== '') {
    return afterSignIn('ticket', ticket, site.resumeAt(ticket));
  }
  if (returnTo === '') return undefined;
  const value = consoleAddress(site, returnTo);
  return afterSignIn('return_to', value, site.signInAt(value));
};

interface SentAfterSignIn {
  readonly ticket?: string;
  readonly returnTo?: string;
}

export const afterSignInOfForm = (site: Site, fields: Fields): AfterSignIn | undefined =>
  afterSignInOf(site, { ticket: fields('ticket'), returnTo: fields('return_to') });

export const afterSignInOfQuery = (site: Site, sent: SentParameters): AfterSignIn | undefined =>
  afterSignInOf(site, { ticket: textIn(sent, 'ticket'), returnTo: textIn(sent, 'return_to') });

/** The same of a request that came to nothing: nothing but what can be read of it. */
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

/** Of a server that somebody was invited to; empty for what is none. */
export const serverIn = (text: string): string => (isSlug(text) ? text : '');

/** A day: as long as the link of the mail works. */
const WANTED_SECONDS = DAY;

/** Notes in the browser where somebody goes on who signs up, in place of what was noted before. */
export const noteWanted = (
  site: Site,
  reply: HttpReply,
  wanted: AfterSignIn | undefined,
): HttpReply =>
  wanted
    ? site.wanted.set(reply, `${wanted.name}:${wanted.encoded}`, WANTED_SECONDS)
    : site.wanted.clear(reply);

/** What accounts have to know of authorization requests. */
export interface Tickets {
  /** Whether one goes on by this ticket: it has not ended. */
  readonly isOpenTicket: (ticket: string) => Promise<boolean>;
}

/**
 * Where somebody goes on who has signed up in this browser; undefined where nothing, or nothing of ours, was noted, and
 * where the application has to ask again, since the mail was read too late for it.
 */
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

/** A gateway has no route that ends in a slash: the console's start is a page of it. */
const FIRST_PAGE = 'servers';
const MAX_LENGTH = 500;
/** Browsers drop tabs and line breaks from addresses, and read a backslash as a slash. */
const PLAIN = /^\/[!-[\]-~]*$/;

/**
 * Where in the console somebody wants to be: a path there, whoever named it, and its start for anything else,
 * so that no link of a stranger's leads through us to another place. Or the page of a command line, which asks itself,
 * or a server's page for people, which shows more to whoever is signed in.
 *
 * Source: RFC 9700 §4.11, open redirectors.
 */
export const consoleAddress = (site: Site, wanted: string): string => {
  const { origin, console, commandLine } = site;
  const start = consoleStart(console);
  if (wanted.length > MAX_LENGTH || !PLAIN.test(wanted)) return start;
  const url = URL.parse(wanted, origin);
  // Parsed as browsers do: dots that lead out of the console are gone by now, and `//host` is a host.
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

/** Whether somebody who is signed in may go on there: to a command line only who has signed in a moment ago. */
export const isSignedInFor = (
  { commandLine }: Site,
  address: string,
  session: LiveSession,
  now: EpochSeconds,
): boolean => !address.startsWith(`${commandLine}?`) || isRecent(session, now);

const consoleStart = (console: string): string => `${console}${FIRST_PAGE}`;

/** For whoever has come from a mail and not from an application: where to go on. */
export const consoleLink = (site: Site) => ({
  address: site.signInAt(consoleStart(site.console)),
  label: 'Sign in to the console',
});

/** For whoever is signed in there. */
export const consoleStartLink = (site: Site) => ({
  address: consoleStart(site.console),
  label: 'Open the console',
});
