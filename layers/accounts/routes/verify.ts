import type { AccountPorts } from '../steps/ports.ts';
import { createAccount } from '../steps/create-account.ts';
import { MAKING } from '../rules/user.ts';
import { expectMailToken } from '../steps/mail-tokens.ts';
import { rememberDevice } from '../steps/sign-in.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { queryParameters } from '../../platform/http/event.ts';
import { seeOther } from '../../platform/http/reply.ts';
import { faultsOf, repetitionFaults } from './field-faults.ts';
import { withSession } from './sign-in-form.ts';
import { consoleStartLink, notedWanted, serverIn, textIn, type Tickets } from './after-sign-in.ts';
import { formEndpoint, show, showNotice, type Site, tokenIn } from './site.ts';

/** Target of a mail's link: asks for a password. A GET changes nothing, because mail scanners follow links. */
export const verifyForm =
  (ports: AccountPorts, { basics }: Site): Endpoint =>
  async (event) => {
    const { sourceIp } = event.requestContext.http;
    const sent = queryParameters(event);
    const token = tokenIn(sent);
    const { email } = await expectMailToken(ports, token, MAKING, sourceIp);
    const server = serverIn(textIn(sent, 'server'));
    const view = { ...basics, token, email, server, fullName: '', faults: [] };
    return show(200, (pages) => pages.newAccountPage(view));
  };

/**
 * Page that does what POST /accounts/verify does. It signs in with the new password and continues to where the browser
 * was when it asked for the mail, else to the server of the invitation.
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
export const verify = (ports: AccountPorts & Tickets, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const { sourceIp } = event.requestContext.http;
    const [token, name, password] = [fields('token'), fields('name'), fields('password')];
    const server = serverIn(fields('server'));
    const { email } = await expectMailToken(ports, token, MAKING, sourceIp);
    const redraw = (faults: ReturnType<typeof faultsOf>) => {
      const view = { ...site.basics, token, email, server, fullName: name, faults };
      return show(400, (pages) => pages.newAccountPage(view));
    };
    const repetition = repetitionFaults(password, fields('repeated'));
    if (repetition.length > 0) return redraw(repetition);
    const made = await createAccount(ports, { token, password, name, sourceIp }).catch(faultsOf);
    if ('length' in made) return redraw(made);
    const signedIn = { user: made, deviceToken: await rememberDevice(ports, made) };
    const wanted = await notedWanted(ports, site, event);
    const next = wanted ?? (server === '' ? undefined : site.server(server));
    const reply = next === undefined ? await ready(site) : seeOther(next);
    return withSession(ports, site, event, signedIn, site.wanted.clear(reply));
  });

/** Shown where no destination is known: the link was opened in another browser than the mail was requested in. */
const ready = (site: Site) =>
  showNotice(site, {
    heading: 'Your account is ready',
    text: 'Your password is saved, and you are signed in in this browser.',
    next: 'Did you begin in another browser or application? Go back there and sign in.',
    link: consoleStartLink(site),
  });
