import type { CompanyPage } from '../rules/password-terms.ts';
import type { User } from '../rules/user.ts';
import type { AccountPorts } from '../steps/ports.ts';
import { endBrowserSession, type SessionFacts, startSession } from '../steps/sessions.ts';
import { KNOWN_DEVICE_SECONDS, type SignedIn, signIn } from '../steps/sign-in.ts';
import { type HttpReply, seeOther } from '../../platform/http/reply.ts';
import { queryParameters, type RoutedEvent } from '../../platform/http/event.ts';
import type { LoginView } from '../../pages/index.ts';
import { textIn } from './after-sign-in.ts';
import { type Fields, show, type Site } from './site.ts';

/** Handles a posted login form. The browser's earlier session ends. */
export const signInByForm = async (
  ports: AccountPorts,
  site: Site,
  event: RoutedEvent,
  fields: Fields,
  { view, next }: { readonly view: LoginView; readonly next: string },
): Promise<HttpReply> => {
  const email = fields('email');
  if (fields('password') === '' && (await ports.asksAddressFirst())) {
    return show(200, (pages) => pages.loginPage({ ...view, email }));
  }
  const { sourceIp } = event.requestContext.http;
  const signedIn = await signIn(ports, {
    email,
    password: fields('password'),
    deviceToken: site.device(email).read(event),
    sourceIp,
  });
  if (!signedIn) {
    return show(400, (pages) => pages.loginPage({ ...view, email, failed: true }));
  }
  return withSession(ports, site, event, signedIn, seeOther(next));
};

/** Adds session and device cookies to a reply: the browser's earlier session ends, and it becomes a known device. */
export const withSession = async (
  ports: AccountPorts,
  site: Site,
  event: RoutedEvent,
  { user, until, asOf, deviceToken }: SignedIn,
  reply: HttpReply,
): Promise<HttpReply> => {
  const signedIn = await withoutDevice(ports, site, event, { user, until, asOf }, reply);
  return site.device(user.email).set(signedIn, deviceToken, KNOWN_DEVICE_SECONDS);
};

type SignedInSomehow = { readonly user: User } & Pick<
  SessionFacts,
  'askedAnew' | 'asOf' | 'provider' | 'signedInAt' | 'until'
>;

/** Adds the session cookie only: a sign-in without a password makes no known device. */
export const withoutDevice = async (
  ports: AccountPorts,
  site: Site,
  event: RoutedEvent,
  { user, ...facts }: SignedInSomehow,
  reply: HttpReply,
): Promise<HttpReply> => {
  await endBrowserSession(ports, site.session.read(event));
  const { token, expiresInSeconds } = await startSession(ports, user, 'browser', {
    ...facts,
    userAgent: event.headers['user-agent'],
  });
  return site.session.set(reply, token, expiresInSeconds);
};

/**
 * Login page: asks for the address first where its domain decides how to sign in, and offers the company last used in
 * this browser. With one company and no passwords, it redirects to that company at once.
 * @param isIn - a session exists but does not suffice; redirecting at once could then loop
 */
export const showSignIn = async (
  ports: Pick<AccountPorts, 'asksAddressFirst' | 'companyPage' | 'onlyCompany'>,
  site: Site,
  event: RoutedEvent,
  view: LoginView,
  isIn = false,
): Promise<HttpReply> => {
  const sent = queryParameters(event);
  const wantsPassword = textIn(sent, 'local') !== '';
  const another = textIn(sent, 'another') !== '';
  const only = await ports.onlyCompany();
  const isSentOn = only !== undefined && !wantsPassword && !another && !isIn;
  if (isSentOn) return seeOther(companyLink(only, view, false));
  const company = only ?? (await knownCompany(ports, site, event));
  const offered = company && {
    name: company.name,
    address: companyLink(company, view, another),
  };
  const asksFirst = !wantsPassword && (await ports.asksAddressFirst());
  return show(200, (pages) =>
    asksFirst
      ? pages.addressPage({ ...view, another, offered })
      : pages.loginPage({ ...view, offered }),
  );
};

export const KNOWN_COMPANY_SECONDS = KNOWN_DEVICE_SECONDS;

const ID = /^[a-z][a-z0-9-]{1,31}$/;

const knownCompany = async (
  { companyPage }: Pick<AccountPorts, 'companyPage'>,
  site: Site,
  event: RoutedEvent,
): Promise<CompanyPage | undefined> => {
  const id = site.company.read(event) ?? '';
  return ID.test(id) ? companyPage(id) : undefined;
};

const companyLink = (
  { address }: CompanyPage,
  { afterSignIn }: LoginView,
  another: boolean,
): string => {
  const wanted = afterSignIn ? [`${afterSignIn.name}=${afterSignIn.encoded}`] : [];
  const query = [...wanted, ...(another ? ['another=1'] : [])].join('&');
  return `${new URL(address).pathname}${query === '' ? '' : `?${query}`}`;
};
