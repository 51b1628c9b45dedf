import { endSession, signIn, startSession } from '@hosted-mcp/core/accounts';
import { type Endpoint, seeOther } from '@hosted-mcp/core/http';
import { findAuthorization, shownName } from '@hosted-mcp/core/oauth';
import type { LoginView } from '@hosted-mcp/core/pages';
import type { OpenRequest } from './asked.ts';
import { formEndpoint, show, type Site, type SitePorts } from './site.ts';

/** POST /login: e-mail and password from the login page. Source: spec, "OAuth server"; A5, D28. */
export const login = (ports: SitePorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const ticket = fields('ticket');
    const email = fields('email');
    const request = await findAuthorization(ports, ticket);
    const { sourceIp } = event.requestContext.http;

    const user = await signIn(ports, { email, password: fields('password'), sourceIp });
    if (!user) {
      const view = { ...loginView(site, { ticket, request }), email, failed: true };
      return show(400, (pages) => pages.loginPage(view));
    }
    await endSession(ports, site.session.read(event));
    const { id } = await startSession(ports, user, 'browser');
    const lifetime = ports.settings.limits.session_seconds;
    return site.session.set(seeOther(site.resumeAt(ticket)), id, lifetime);
  });

export const loginView = (
  { basics }: Site,
  { ticket, request: { clientName, slug } }: OpenRequest,
): LoginView => ({
  ...basics,
  ticket,
  client: shownName(clientName),
  server: slug,
  email: '',
  failed: false,
});
