import type { AccountPorts } from '../steps/ports.ts';
import { expectMailToken } from '../steps/mail-tokens.ts';
import { resetPassword } from '../steps/reset-password.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { queryParameters } from '../../platform/http/event.ts';
import { faultsOf, repetitionFaults } from './field-faults.ts';
import { consoleLink } from './after-sign-in.ts';
import { formEndpoint, show, showNotice, type Site, tokenIn } from './site.ts';

export const newPasswordForm =
  (ports: AccountPorts, { basics }: Site): Endpoint =>
  async (event) => {
    const { sourceIp } = event.requestContext.http;
    const token = tokenIn(queryParameters(event));
    const { email } = await expectMailToken(ports, token, ['reset_password'], sourceIp);
    const view = { ...basics, token, email, faults: [] };
    return show(200, (pages) => pages.newPasswordPage(view));
  };

export const newPassword = (ports: AccountPorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const { sourceIp } = event.requestContext.http;
    const [token, password] = [fields('token'), fields('password')];
    const { email } = await expectMailToken(ports, token, ['reset_password'], sourceIp);
    const repetition = repetitionFaults(password, fields('repeated'));
    const faults =
      repetition.length > 0
        ? repetition
        : await resetPassword(ports, { token, password, sourceIp }).then(() => [], faultsOf);
    if (faults.length > 0) {
      const view = { ...site.basics, token, email, faults };
      return show(400, (pages) => pages.newPasswordPage(view));
    }
    const reply = await showNotice(site, {
      heading: 'Your new password is saved',
      text: 'All your sessions have ended, and all connected applications are signed out. Machines that you trust still sign in: the console lists them.',
      next: 'Go back to your application and connect it again.',
      link: consoleLink(site),
    });
    return site.session.clear(reply);
  });
