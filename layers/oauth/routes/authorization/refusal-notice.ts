import { member } from '../../../platform/rules/json/json.ts';
import type { Failure } from '../../../platform/http/errors.ts';
import type { AfterSignIn, NoticeView } from '../../../pages/index.ts';
import { redirectTarget } from '../../rules/authorization/consent-display.ts';
import type { Site } from '../../../accounts/routes/site.ts';

type Words = Pick<NoticeView, 'heading' | 'next'>;

const BACK = 'Go back to the application and connect it again.';

const AGAIN = 'Go back to where you came from, the application or the console, and begin again.';

const BY_OUTCOME: Readonly<Record<string, Words>> = {
  unknown_client: {
    heading: 'This application is not known here',
    next: 'Remove this server from the application and add it again, so that the application registers again. Nothing was sent anywhere.',
  },
  unreachable_document: {
    heading: 'The description of this application cannot be read',
    next: 'Try again in a moment. If that does not help, the operator of this service must let it reach that address. Some applications have a setting for dynamic client registration instead. Nothing was sent anywhere.',
  },
  unusable_document: {
    heading: 'The description of this application cannot be used',
    next: 'Whoever makes the application can mend that, not you. If it has a setting that registers it with each server (dynamic client registration), use that. Nothing was sent anywhere.',
  },
  unregistered_redirect_uri: {
    heading: 'This request cannot be trusted',
    next: 'Nothing was sent anywhere. If you trust the application, remove this server from it and add it again.',
  },
  refused_request: {
    heading: 'This application asked for something that cannot be done',
    next: BACK,
  },
  // A double click may have answered the request already.
  ended_ticket: {
    heading: 'This page is no longer valid',
    next: 'Go back to the application: it may be connected already. If it is not, connect it again.',
  },
  foreign_form: {
    heading: 'This form came from another place',
    next: `Nothing has happened. ${BACK}`,
  },
  refused_command_line: {
    heading: 'This address does not work',
    next: 'Sign in at the command line again, and open the address that it shows then.',
  },
  unknown_provider: {
    heading: 'There is nothing here',
    next: 'Check the address, or sign in by your e-mail address.',
  },
  sign_in_ended: { heading: 'This sign-in has ended', next: AGAIN },
  sign_in_unavailable: { heading: 'Your company does not answer', next: `Wait a moment. ${AGAIN}` },
  sign_in_misconfigured: {
    heading: 'You cannot be signed in just now',
    next: 'That is nothing you can mend: tell whoever runs this service.',
  },
  sign_in_refused: { heading: 'You are not signed in', next: AGAIN },
  no_account: {
    heading: 'There is no account for you here',
    next: 'Tell whoever looks after sign-in at your company, or whoever runs this service.',
  },
  sign_up_closed: {
    heading: 'You cannot create an account here',
    next: 'Whoever runs this service can make one for you. If you have one, go back and sign in.',
  },
  use_company_sign_in: {
    heading: 'You sign in with your company',
    next: 'No password opens your account here, and none can be chosen.',
  },
  invalid_token: {
    heading: 'This link does not work any more',
    next: 'Links in mails work once and for a limited time. If you have just chosen a password with it, sign in. Ask for a new mail if you still need one.',
  },
  conflict: {
    heading: 'Just a moment',
    next: 'Nothing else has happened.',
  },
};

const BY_STATUS: Readonly<Record<number, Words>> = {
  404: { heading: 'There is nothing here', next: 'Check the address.' },
  405: { heading: 'This page cannot be opened so', next: BACK },
  429: { heading: 'Too many requests', next: 'Wait for that long, then try again.' },
  500: { heading: 'Something went wrong', next: 'It is our mistake, not yours. Try again later.' },
  503: { heading: 'Just a moment', next: 'Reload this page in a few seconds.' },
};

const OTHERWISE: Words = { heading: 'This cannot be done', next: BACK };

export const refusalNotice = (
  { basics: { root } }: Site,
  { reply, outcome, description }: Failure,
  path: string,
): Pick<NoticeView, 'heading' | 'text' | 'next' | 'link'> => ({
  text: description,
  ...(member(BY_OUTCOME, outcome) ?? BY_STATUS[reply.statusCode] ?? OTHERWISE),
  ...(outcome === 'invalid_token' && invalidLink(root, path)),
});

const invalidLink = (root: string, path: string): Partial<Words & Pick<NoticeView, 'link'>> => {
  if (path.includes('/open')) {
    return {
      next: 'Links to the console work once, and for a short time. Make a new one, or sign in.',
      link: { address: `${root}/sign-in`, label: 'Sign in' },
    };
  }
  return {
    link: path.includes('/verify')
      ? { address: `${root}/signup`, label: 'Ask for another mail to create an account' }
      : { address: `${root}/reset`, label: 'Ask for a new password again' },
  };
};

/**
 * Link to the sign-in page of a company, which leads on to what the person wanted.
 * @param page - of a company, or the login page, which asks for the e-mail address
 * @param server - that they were invited to; empty: none
 */
export const companyNotice = (
  { basics: { root }, origin }: Site,
  page: string,
  wanted: AfterSignIn | undefined,
  server = '',
): Pick<NoticeView, 'link'> => {
  const path = page.startsWith(`${origin}/`) ? page.slice(origin.length) : page;
  const isLoginPage = path === `${root}/sign-in`;
  const invited = server === '' || isLoginPage ? '' : `?server=${server}`;
  const query = wanted ? `?${wanted.name}=${wanted.encoded}` : invited;
  const address = isLoginPage && wanted ? wanted.signIn : `${path}${query}`;
  return { link: { address, label: 'Sign in with your company' } };
};

/** For an error redirect that must not be followed automatically: an open redirect could abuse it. */
export const returnNotice = (address: string): Pick<NoticeView, 'next' | 'link'> => {
  const { kind, name } = redirectTarget(address);
  const place = kind === 'website' ? name : `this device (${name})`;
  return {
    next: `Its answer would go to ${place}. Nobody here has checked the application, and you have not signed in: go there only if it is where you came from.`,
    link: { address, label: `Go back to ${place}` },
  };
};
