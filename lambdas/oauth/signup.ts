import { createAccount } from '@hosted-mcp/core/accounts';
import { type Endpoint, queryParameters } from '@hosted-mcp/core/http';
import type { SignUpView } from '@hosted-mcp/core/pages';
import { faultsOf, repetitionFaults } from './field-faults.ts';
import { mailSent } from './mail-sent.ts';
import { formEndpoint, show, type Site, type SitePorts, ticketIn } from './site.ts';

export const signUpForm =
  ({ basics }: Site): Endpoint =>
  async (event) => {
    const ticket = ticketIn(queryParameters(event).get('ticket')?.[0]);
    const view: SignUpView = { ...basics, ticket, email: '', fullName: '', faults: [] };
    return show(200, (pages) => pages.signUpPage(view));
  };

/** The page's way to POST /accounts. */
export const signUp = (ports: SitePorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    const { sourceIp } = event.requestContext.http;
    const ticket = ticketIn(fields('ticket'));
    const [email, name, password] = [fields('email'), fields('name'), fields('password')];
    const repetition = repetitionFaults(password, fields('repeated'));
    const faults =
      repetition.length > 0
        ? repetition
        : await createAccount(ports, { email, name, password, sourceIp }).then(() => [], faultsOf);
    if (faults.length === 0) return mailSent(site, ticket);

    const view: SignUpView = { ...site.basics, ticket, email, fullName: name, faults };
    return show(400, (pages) => pages.signUpPage(view));
  });
