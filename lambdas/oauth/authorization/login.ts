import {
  endBrowserSession,
  KNOWN_DEVICE_SECONDS,
  signIn,
  startSession,
} from '@hosted-mcp/core/accounts';
import { type Endpoint, seeOther } from '@hosted-mcp/core/http';
import { findAuthorization, shownName } from '@hosted-mcp/core/oauth';
import type { LoginView } from '@hosted-mcp/core/pages';
import type { OpenRequest } from './pending-consent.ts';
import { formEndpoint, show, type Site, type SitePorts } from './site.ts';

/**
 * POST /login: e-mail and password from the login page.
 * Source: docs/protocol.md, "Login and consent pages"; docs/decisions.md, "Passwords".
 */
export const login = (ports: SitePorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const ticket = fields('ticket');
    const email = fields('email');
    const request = await findAuthorization(ports, ticket);
    const { sourceIp } = event.requestContext.http;

    const device = site.device(email);
    const signedIn = await signIn(ports, {
      email,
      password: fields('password'),
      deviceToken: device.read(event),
      sourceIp,
    });
    if (!signedIn) {
      const view = { ...loginView(site, { ticket, request }), email, failed: true };
      return show(400, (pages) => pages.loginPage(view));
    }
    await endBrowserSession(ports, site.session.read(event));
    const { token, expiresInSeconds } = await startSession(ports, signedIn.user, 'browser');
    const reply = site.session.set(seeOther(site.resumeAt(ticket)), token, expiresInSeconds);
    return device.set(reply, signedIn.deviceToken, KNOWN_DEVICE_SECONDS);
  });

export const loginView = (
  { basics, canSignUp }: Site,
  { ticket, request: { clientName, slug } }: OpenRequest,
): LoginView => ({
  ...basics,
  ticket,
  client: shownName(clientName),
  server: slug,
  email: '',
  failed: false,
  canSignUp,
});
