import { type FormBrowser, formBrowser, type Page } from '../../../cli/smoke/form-browser.ts';

export type { FormBrowser, Page as Visit };

/** The browser of the smoke run. @param origin - of the site; redirects are followed within it */
export const aFormBrowser = (origin: string, send: typeof fetch = fetch): FormBrowser =>
  formBrowser({ fetch: send }, origin);

export interface SignIn {
  readonly email: string;
  readonly password: string;
}

export interface Decision {
  readonly decision?: 'approve' | 'deny';
  /** The deployment's slug, where the page asks. */
  readonly server?: string;
}

/**
 * What a person does who is sent to the authorization server: signs in, unless they are signed in,
 * and decides.
 *
 * @returns the address that the client gets its answer at
 * @throws Error with the page that it ended on instead
 */
export const authorize = async (
  browser: FormBrowser,
  url: string | URL,
  person: SignIn,
  { decision = 'approve', server }: Decision = {},
): Promise<URL> => {
  const first = await browser.open(url);
  const { email, password } = person;
  const page = first.forms.some(({ action }) => action.endsWith('/login'))
    ? await browser.submit(first, '/login', { email, password })
    : first;
  const end = await browser.submit(page, '/authorize', {
    decision,
    ...(server !== undefined && { server }),
  });
  if (!end.left) throw new Error(`${end.status} at ${end.url.pathname}: ${end.html}`);
  return end.url;
};
