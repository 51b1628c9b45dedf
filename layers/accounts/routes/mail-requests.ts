import type { AccountPorts } from '../steps/ports.ts';
import { checkSignUpIsOpen } from '../rules/sign-up-policy.ts';
import { requestPasswordReset, requestSignUp } from '../steps/ask-for-mail.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import type { HtmlPage, HttpReply } from '../../platform/http/reply.ts';
import { queryParameters } from '../../platform/http/event.ts';
import type { AddressView, AfterSignIn } from '../../pages/index.ts';
import { faultsOf } from './field-faults.ts';
import { afterSignInOfForm, afterSignInOfQuery, noteWanted } from './after-sign-in.ts';
import { formEndpoint, show, type Site } from './site.ts';

type Pages = typeof import('../../pages/index.ts');

interface MailRequest {
  readonly action: '/signup' | '/reset';
  readonly draw: (pages: Pages, view: AddressView) => HtmlPage;
  readonly run: typeof requestSignUp;
}

const SIGN_UP: MailRequest = {
  action: '/signup',
  draw: (pages, view) => pages.signUpPage(view),
  run: requestSignUp,
};

const RESET: MailRequest = {
  action: '/reset',
  draw: (pages, view) => pages.resetPage(view),
  run: requestPasswordReset,
};

const form =
  ({ draw }: MailRequest) =>
  (site: Site): Endpoint =>
  async (event) => {
    const afterSignIn = afterSignInOfQuery(site, queryParameters(event));
    return show(200, (pages) =>
      draw(pages, { ...site.basics, afterSignIn, email: '', faults: [] }),
    );
  };

const send =
  ({ action, draw, run }: MailRequest) =>
  (ports: AccountPorts, site: Site): Endpoint =>
    formEndpoint(site, async (event, fields) => {
      const afterSignIn = afterSignInOfForm(site, fields);
      const email = fields('email');
      const { sourceIp } = event.requestContext.http;
      const faults = await run(ports, email, sourceIp).then(() => [], faultsOf);
      if (faults.length === 0) {
        const reply = await mailSent(site, { action, email, afterSignIn });
        return action === '/signup' ? noteWanted(site, reply, afterSignIn) : reply;
      }
      return show(400, (pages) => draw(pages, { ...site.basics, afterSignIn, email, faults }));
    });

export const signUpForm = (ports: AccountPorts, site: Site): Endpoint => {
  const opened = form(SIGN_UP)(site);
  return async (event) => {
    checkSignUpIsOpen(ports.settings.signUp ?? 'closed');
    return opened(event);
  };
};
export const signUp = send(SIGN_UP);
export const resetForm = form(RESET);
export const reset = send(RESET);

interface SentMail {
  readonly action: '/signup' | '/reset';
  readonly email: string;
  readonly afterSignIn: AfterSignIn | undefined;
}

/**
 * Same page whether or not an account exists: it must not reveal which addresses are registered.
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
const mailSent = (site: Site, { action, email, afterSignIn }: SentMail): Promise<HttpReply> =>
  show(202, (pages) =>
    pages.mailSentPage({
      ...site.basics,
      action,
      email,
      afterSignIn,
      isLocal: isLocal(site),
    }),
  );

const isLocal = ({ basics }: Site): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(basics.host);
