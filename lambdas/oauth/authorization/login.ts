import {
  endBrowserSession,
  KNOWN_DEVICE_SECONDS,
  signIn,
  startSession,
} from '@hosted-mcp/core/accounts';
import { type Endpoint, type HttpReply, type RoutedEvent, seeOther } from '@hosted-mcp/core/http';
import { findAuthorization, shownName } from '@hosted-mcp/core/oauth';
import type { LoginView } from '@hosted-mcp/core/pages';
import { afterSignInOf } from './after-sign-in.ts';
import type { OpenRequest } from './pending-consent.ts';
import { type Fields, formEndpoint, show, type Site, type SitePorts } from './site.ts';

/**
 * POST /login: e-mail and password from the login page.
 * Source: docs/protocol.md, "Login and consent pages"; docs/decisions/accounts.md, "Passwords".
 */
export const login = (ports: SitePorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const ticket = fields('ticket');
    const request = await findAuthorization(ports, ticket);
    const view = loginView(site, { ticket, request });
    return signInByForm(ports, site, event, fields, { view, next: site.resumeAt(ticket) });
  });

interface LoginForm {
  /** Shown again where it did not work. */
  readonly view: LoginView;
  /** Where the browser goes on. */
  readonly next: string;
}

/** What the form of a login page does. A session that the browser had before ends. */
export const signInByForm = async (
  ports: SitePorts,
  site: Site,
  event: RoutedEvent,
  fields: Fields,
  { view, next }: LoginForm,
): Promise<HttpReply> => {
  const email = fields('email');
  const { sourceIp } = event.requestContext.http;
  const device = site.device(email);
  const signedIn = await signIn(ports, {
    email,
    password: fields('password'),
    deviceToken: device.read(event),
    sourceIp,
  });
  if (!signedIn) {
    return show(400, (pages) => pages.loginPage({ ...view, email, failed: true }));
  }
  await endBrowserSession(ports, site.session.read(event));
  const { token, expiresInSeconds } = await startSession(ports, signedIn.user, 'browser', {
    userAgent: event.headers['user-agent'],
  });
  const reply = site.session.set(seeOther(next), token, expiresInSeconds);
  return device.set(reply, signedIn.deviceToken, KNOWN_DEVICE_SECONDS);
};

export const loginView = (
  site: Site,
  { ticket, request: { clientName, slug } }: OpenRequest,
): LoginView => ({
  ...site.basics,
  afterSignIn: afterSignInOf(site, { ticket }),
  action: '/login',
  client: shownName(clientName),
  server: slug,
  email: '',
  failed: false,
  canSignUp: site.canSignUp,
});
