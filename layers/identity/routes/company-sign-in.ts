import type { AccountPorts } from '../../accounts/steps/ports.ts';
import {
  afterSignInOfForm,
  afterSignInOfQuery,
  consoleAddress,
  serverIn,
  textIn,
} from '../../accounts/routes/after-sign-in.ts';
import { type Fields, formEndpoint, showNotice, type Site } from '../../accounts/routes/site.ts';
import { canonicalEmail } from '../../accounts/rules/email.ts';
import { KNOWN_COMPANY_SECONDS, withoutDevice } from '../../accounts/routes/sign-in-form.ts';
import { type Cookie, cookie } from '../../platform/http/cookies.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { queryParameters, type RoutedEvent } from '../../platform/http/event.ts';
import { type HttpReply, seeOther } from '../../platform/http/reply.ts';
import type { SentParameters } from '../../platform/rules/sent-parameters.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import { PageRefusal } from '../../platform/rules/refusal/page-refusal.ts';
import { MINUTE } from '../../platform/rules/time.ts';
import type { IdentityPorts } from '../ports.ts';
import type { IdentityProvider } from '../rules/providers.ts';
import { type Asking, joined } from '../rules/flow.ts';
import { providerOfAddress, signsIn, type SignInProvider } from '../rules/sign-in.ts';
import {
  beginCompanySignIn,
  COMPANY_SIGN_IN_SECONDS,
  finishCompanySignIn,
  type FinishCompanySignInPorts,
} from '../steps/company-sign-in.ts';
import type { PortsOf } from '../../platform/ports.ts';

export type CompanySignInPorts = PortsOf<typeof beginCompanySignIn> &
  FinishCompanySignInPorts &
  AccountPorts &
  Pick<IdentityPorts, 'identityProviders'>;

/** In the console, credentials that outlive the session require a sign-in this recent. */
const CONSOLE_MAX_AGE_SECONDS = 10 * MINUTE;

/**
 * Handles the login form's address step. Only the domain decides whether a company signs the address in, so that nobody
 * can learn which accounts exist.
 * @param otherwise - handles passwords, and addresses of other domains
 * Source: docs/access.md, "Sign-in with a company".
 */
export const companyFirst = (
  ports: CompanySignInPorts,
  site: Site,
  otherwise: Endpoint,
): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const email = canonicalEmail(fields('email'));
    const provider =
      fields('password') === ''
        ? providerOfAddress(await ports.identityProviders.list(), email)
        : undefined;
    return provider
      ? begun(ports, site, event, {
          provider,
          email,
          next: nextOfForm(site, fields),
          ...(fields('another') !== '' && { asking: ANOTHER }),
        })
      : otherwise(event);
  });

/** GET /sign-in/{id}: redirects straight to a provider, for links and bookmarks. */
export const companySignIn =
  (ports: CompanySignInPorts, site: Site): Endpoint =>
  async (event) => {
    const id = event.parameters['id'];
    const provider = (await ports.identityProviders.list()).find((one) => one.id === id);
    if (!provider || !signsIn(provider)) {
      throw new PageRefusal('unknown_provider', 'Nobody signs in here with such a company.');
    }
    const sent = queryParameters(event);
    const server = serverIn(textIn(sent, 'server'));
    const next = server === '' ? wayOn(site, afterSignInOfQuery(site, sent)) : site.server(server);
    const wanted = { provider, email: '', next, asking: askingIn(sent) };
    return begun(ports, site, event, wanted);
  };

/** GET /sign-in/{id}/callback: redirect URI for providers. */
export const companyCallback =
  (ports: CompanySignInPorts, site: Site): Endpoint =>
  async (event) => {
    const sent = queryParameters(event);
    const state = textIn(sent, 'state');
    const browser = cookieOf(ports, state);
    const { sourceIp } = event.requestContext.http;
    const { isTakenOver, next, provider, ...shown } = await finishCompanySignIn(ports, {
      provider: event.parameters['id'] ?? '',
      state,
      cookieValue: browser.read(event),
      sent,
      sourceIp,
    });
    const reply = isTakenOver
      ? await takenOverPage(site, provider, shown.user.email, next)
      : seeOther(next);
    const known = site.company.set(browser.clear(reply), provider.id, KNOWN_COMPANY_SECONDS);
    return withoutDevice(ports, site, event, { ...shown, provider: provider.id }, known);
  };

/** Tells a first-time user what the account contains: somebody else may have had this address, and account, before. */
const takenOverPage = (
  site: Site,
  { name }: IdentityProvider,
  email: string,
  next: string,
): Promise<HttpReply> =>
  showNotice(site, {
    heading: `You sign in with ${name} from now on`,
    text: `There was an account of ${email} here. It is yours, and is opened by ${name} and no more by its former password.`,
    next: 'Applications and programs that it let in stay connected. If you do not know them all, end them in the console, under Account.',
    link: { address: next, label: 'Continue' },
  });

const ANOTHER: Asking = { prompts: ['select_account'] };
const ANEW: Asking = { maxAgeSeconds: 0, prompts: ['login'] };

/** `again=1`: authenticate anew; `another=1`: choose another account. */
const askingIn = (sent: SentParameters): Asking =>
  joined(textIn(sent, 'again') === '' ? {} : ANEW, textIn(sent, 'another') === '' ? {} : ANOTHER);

interface Wanted {
  readonly provider: SignInProvider<IdentityProvider>;
  readonly email: string;
  readonly next: string;
  readonly asking?: Asking;
}

const begun = async (
  ports: CompanySignInPorts,
  site: Site,
  event: RoutedEvent,
  { provider, email, next, asking = {} }: Wanted,
): Promise<HttpReply> => {
  const { sourceIp } = event.requestContext.http;
  const asked = { next, email, asking: joined(askingAt(site, next), asking), sourceIp };
  const { location, state, cookieValue } = await beginCompanySignIn(ports, provider, asked);
  return cookieOf(ports, state).set(seeOther(location), cookieValue, COMPANY_SIGN_IN_SECONDS);
};

/**
 * The console requires a recent authentication. The command line requires one now: a provider that sends no `auth_time`
 * is believed to have obeyed `prompt=login`.
 */
const askingAt = (site: Site, next: string): Asking => {
  if (next.startsWith(site.commandLine)) return ANEW;
  return next.startsWith(site.console) ? { maxAgeSeconds: CONSOLE_MAX_AGE_SECONDS } : {};
};

/** One cookie per sign-in, so that several tabs do not interfere. */
const cookieOf = ({ settings }: Pick<CompanySignInPorts, 'settings'>, state: string): Cookie =>
  cookie(`mcp-signin-${fingerprint(state).slice(0, 16)}`, settings.baseUrl);

const nextOfForm = (site: Site, fields: Fields): string =>
  wayOn(site, afterSignInOfForm(site, fields));

const wayOn = (site: Site, wanted: ReturnType<typeof afterSignInOfForm>): string => {
  if (wanted?.name === 'ticket') return site.resumeAt(wanted.value);
  return wanted ? wanted.value : consoleAddress(site, '');
};
