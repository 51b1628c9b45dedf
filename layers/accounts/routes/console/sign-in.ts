import type { AccountPorts } from '../../steps/ports.ts';
import { findBrowserSession } from '../../steps/sessions.ts';
import type { Endpoint } from '../../../platform/http/endpoint.ts';
import { queryParameters } from '../../../platform/http/event.ts';
import { seeOther } from '../../../platform/http/reply.ts';
import type { LoginView } from '../../../pages/index.ts';
import { showSignIn, signInByForm } from '../sign-in-form.ts';
import { afterSignInOf, consoleAddress, isSignedInFor, textIn } from '../after-sign-in.ts';
import { formEndpoint, type Site } from '../site.ts';

export const signInForm =
  (ports: AccountPorts, site: Site): Endpoint =>
  async (event) => {
    const address = consoleAddress(site, textIn(queryParameters(event), 'return_to'));
    const session = await findBrowserSession(ports, site.session.read(event));
    return session && isSignedInFor(site, address, session, ports.clock.now())
      ? seeOther(address)
      : showSignIn(ports, site, event, view(site, address), session !== undefined);
  };

/** Source: docs/decisions/accounts.md, "Sessions of the console". */
export const signInToConsole = (ports: AccountPorts, site: Site): Endpoint =>
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
