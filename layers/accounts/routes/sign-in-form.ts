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

interface LoginForm {
  /** Shown again where it did not work. */
  readonly view: LoginView;
  /** Where the browser goes on. */
  readonly next: string;
}

/** What the form of a login page does. A session that the browser had before ends. */
export const signInByForm = async (
  ports: AccountPorts,
  site: Site,
  event: RoutedEvent,
  fields: Fields,
  { view, next }: LoginForm,
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

/** A reply that signs the browser in: what it had before ends, and it is a known device from now on. */
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

/** The same for who has shown no password, which a known device is about. */
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
 * The page for who is not signed in: it asks for the address first where that says where to sign in, and offers the
 * company that somebody has signed in with in this browser. Where there is one company and no password, it is left out.
 *
 * @param isIn - somebody is signed in, and not as they have to be: they are not sent on again unasked
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

/** As long as a device is known. */
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
