import type { Endpoint } from '../../../platform/http/endpoint.ts';
import type { SitePorts } from '../../steps/ports.ts';
import { findLoginDeployment } from '../../steps/authorization/find-login-deployment.ts';
import { findAuthorization } from '../../steps/authorization/find-authorization.ts';
import { shownName } from '../../../platform/rules/shown-name.ts';
import type { LoginView } from '../../../pages/index.ts';
import { afterSignInOf } from '../../../accounts/routes/after-sign-in.ts';
import type { OpenRequest } from './pending-consent.ts';
import { signInByForm } from '../../../accounts/routes/sign-in-form.ts';
import { formEndpoint, type Site } from '../../../accounts/routes/site.ts';

/**
 * POST /login: e-mail address and password. Source: docs/protocol.md, "Login and consent pages";
 * docs/decisions/accounts.md, "Passwords".
 */
export const login = (ports: SitePorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const ticket = fields('ticket');
    const request = await findAuthorization(ports, ticket);
    const view = await loginView(ports, site, { ticket, request });
    return signInByForm(ports, site, event, fields, { view, next: site.resumeAt(ticket) });
  });

export const loginView = async (
  ports: Pick<SitePorts, 'deployments'>,
  site: Site,
  { ticket, request: { clientName, slug } }: OpenRequest,
): Promise<LoginView> => ({
  ...site.basics,
  afterSignIn: afterSignInOf(site, { ticket }),
  action: '/login',
  client: shownName(clientName),
  server: await serverName(ports, slug),
  email: '',
  failed: false,
  canSignUp: site.canSignUp,
});

/** The deployment is cached: the authorization request has just been checked against it. */
const serverName = async (
  ports: Pick<SitePorts, 'deployments'>,
  slug: string | undefined,
): Promise<string | undefined> => {
  const deployment = slug === undefined ? undefined : await findLoginDeployment(ports, slug);
  return deployment && shownName(deployment.name, deployment.slug);
};
