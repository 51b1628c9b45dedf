import type { SitePorts } from '../../steps/ports.ts';
import { endBrowserSession } from '../../../accounts/steps/sessions.ts';
import type { Endpoint } from '../../../platform/http/endpoint.ts';
import { afterSignInOfForm } from '../../../accounts/routes/after-sign-in.ts';
import { formEndpoint, showNotice, type Site } from '../../../accounts/routes/site.ts';

/** Ends the session in the store, not only in the browser. Source: docs/protocol.md, "Login and consent pages". */
export const logout = (ports: SitePorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    await endBrowserSession(ports, site.session.read(event));
    const wanted = afterSignInOfForm(site, fields);
    const reply = await showNotice(site, {
      heading: 'You are signed out',
      text: 'This browser is no longer signed in here. Applications that you approved keep their access.',
      next: wanted ? 'Sign in with another account to go on.' : 'You can close this page.',
      ...(wanted && {
        // `another=1` keeps an identity provider from signing the same person in again at once.
        link: { address: `${wanted.signIn}&another=1`, label: 'Sign in with another account' },
      }),
    });
    return site.session.clear(reply);
  });
