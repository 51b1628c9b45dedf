import type { AccountPorts } from '../steps/ports.ts';
import { createAccount } from '../steps/create-account.ts';
import { expectMailToken } from '../steps/mail-tokens.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { queryParameters } from '../../platform/http/event.ts';
import { faultsOf, repetitionFaults } from './field-faults.ts';
import { consoleLink } from './after-sign-in.ts';
import { formEndpoint, show, type Site, tokenIn } from './site.ts';

/** Behind the link of a mail: a page where the password is chosen. Opening it changes nothing: mail scanners do. */
export const verifyForm =
  (ports: AccountPorts, { basics }: Site): Endpoint =>
  async (event) => {
    const { sourceIp } = event.requestContext.http;
    const token = tokenIn(queryParameters(event));
    const { email } = await expectMailToken(ports, token, 'sign_up', sourceIp);
    const view = { ...basics, token, email, fullName: '', faults: [] };
    return show(200, (pages) => pages.newAccountPage(view));
  };

/** The page's way to POST /accounts/verify. */
export const verify = (ports: AccountPorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const { sourceIp } = event.requestContext.http;
    const [token, name, password] = [fields('token'), fields('name'), fields('password')];
    const { email } = await expectMailToken(ports, token, 'sign_up', sourceIp);
    const repetition = repetitionFaults(password, fields('repeated'));
    const faults =
      repetition.length > 0
        ? repetition
        : await createAccount(ports, { token, password, name, sourceIp }).then(() => [], faultsOf);
    if (faults.length > 0) {
      const view = { ...site.basics, token, email, fullName: name, faults };
      return show(400, (pages) => pages.newAccountPage(view));
    }
    return show(200, (pages) =>
      pages.noticePage({
        ...site.basics,
        heading: 'Your account is ready',
        text: 'Your address is confirmed, and your password is saved.',
        next: 'Go back to the page where you wanted to sign in, or to your application, and sign in.',
        link: consoleLink(site),
      }),
    );
  });
