import { findBrowserSession } from '@hosted-mcp/core/accounts';
import { type Endpoint, queryParameters, seeOther } from '@hosted-mcp/core/http';
import type { LoginView } from '@hosted-mcp/core/pages';
import { signInByForm } from '../authorization/login.ts';
import { consoleAddress, afterSignInOf, textIn } from '../authorization/after-sign-in.ts';
import { formEndpoint, show, type Site, type SitePorts } from '../authorization/site.ts';

/** GET /sign-in: the login page for who wants to be in the console. */
export const signInForm =
  (ports: SitePorts, site: Site): Endpoint =>
  async (event) => {
    const address = consoleAddress(site, textIn(queryParameters(event), 'return_to'));
    const session = await findBrowserSession(ports, site.session.read(event));
    return session ? seeOther(address) : show(200, (pages) => pages.loginPage(view(site, address)));
  };

/** POST /sign-in. Source: docs/decisions/accounts.md, "Sessions of the console". */
export const signInToConsole = (ports: SitePorts, site: Site): Endpoint =>
  formEndpoint(site, (event, fields) => {
    const address = consoleAddress(site, fields('return_to'));
    return signInByForm(ports, site, event, fields, { view: view(site, address), next: address });
  });

const view = (site: Site, address: string): LoginView => ({
  ...site.basics,
  afterSignIn: afterSignInOf(site, { returnTo: address }),
  action: '/sign-in',
  email: '',
  failed: false,
  canSignUp: site.canSignUp,
});
