import { authorizationRequest, REDIRECT_URI } from '../doctor/registration.ts';
import { failed, type Fault, judged, ok, type Step } from '../doctor/step.ts';
import { statusFault, type Visit } from '../doctor/visit.ts';
import { textOf } from '../json.ts';
import { type FormBrowser, formFor, type Page } from './form-browser.ts';
import type { ServiceAddresses } from './service-steps.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
}

export interface LoggedIn {
  readonly steps: readonly Step[];
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

const ANOTHER_PAGE: Pick<Fault, 'cause' | 'hint'> = {
  cause: 'Something in front of the service answers in its place, or keeps its cookies back.',
  hint: 'Let pages, forms and Set-Cookie pass as they are.',
};

/** Plays client and user until there is a token: authorization request, login, consent, token request. */
export const logIn = async (
  visit: Visit,
  browser: FormBrowser,
  { issuer }: ServiceAddresses,
  request: {
    readonly clientId: string;
    readonly resource: string;
    /** Person who signs in; omitted where the browser is signed in already. */
    readonly person?: Person;
  },
): Promise<LoggedIn> => {
  const { clientId, resource, person } = request;
  const address = authorizationRequest(`${issuer}/authorize`, {
    client_id: clientId,
    resource,
    scope: 'openid mcp.tools.read mcp.tools.execute',
  });

  const first = await browser.open(address.url);
  if (person && !formFor(first, '/login')) {
    return { steps: [failed('login page', noForm(first, 'login'))] };
  }
  const steps: Step[] = person ? [ok('login page', 'is shown')] : [];

  const second = person ? await browser.submit(first, '/login', { ...person }) : first;
  if (!formFor(second, '/authorize')) {
    const isWrong = formFor(second, '/login') !== undefined;
    const fault = isWrong
      ? {
          what: 'the login is refused',
          cause:
            'The password is wrong, the account is locked, or the cookie of the login is lost.',
          hint: 'Sign in by hand: npx --no-install hosted-mcp login. If that works, let Set-Cookie and Cookie pass.',
        }
      : noForm(second, 'consent');
    return { steps: [...steps, failed('consent page', fault)] };
  }
  steps.push(ok('consent page', 'is shown'));

  const end = await browser.submit(second, '/authorize', { decision: 'approve' });
  const code = end.url.searchParams.get('code');
  const isBack = end.left && end.url.href.startsWith(REDIRECT_URI);
  if (!isBack || code === null || end.url.searchParams.get('state') !== address.state) {
    const error = end.url.searchParams.get('error');
    const what = isBack
      ? `the client is told ${error ?? 'nothing'}`
      : `HTTP ${end.status} instead of a way back to the client`;
    return { steps: [...steps, failed('code', { what, ...ANOTHER_PAGE })] };
  }
  steps.push(ok('code', 'comes back to the client'));

  const answer = await visit.postForm(`${issuer}/token`, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    client_id: clientId,
    code_verifier: address.verifier,
    resource,
  });
  const accessToken = textOf(answer.json?.access_token);
  const refreshToken = textOf(answer.json?.refresh_token);
  const fault =
    statusFault(answer, [200]) ??
    (accessToken === undefined ? { what: 'the answer has no token', ...ANOTHER_PAGE } : undefined);
  return {
    steps: [...steps, judged('token', fault, 'the code buys one')],
    ...(accessToken !== undefined && { accessToken }),
    ...(refreshToken !== undefined && { refreshToken }),
  };
};

const noForm = ({ status, left, url }: Page, name: string): Fault => ({
  what: left
    ? `the browser is sent to ${url.host} instead of the ${name} page`
    : `HTTP ${status} without the form of the ${name} page`,
  ...(status >= 500
    ? {
        cause: 'The service has a problem of its own.',
        hint: 'Look at the log of the function oauth.',
      }
    : ANOTHER_PAGE),
});
