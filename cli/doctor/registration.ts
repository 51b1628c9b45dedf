import { createHash, randomBytes } from 'node:crypto';
import { type Json, stringOf, textOf } from '../json.ts';
import { failed, type Fault, judged, ok, type Step } from './step.ts';
import { statusFault, type Visit, type Visited } from './visit.ts';

/** The redirect URI where nobody listens, so that no code is ever redeemed. Source: RFC 8252 §7.3. */
export const REDIRECT_URI = 'http://127.0.0.1:6277/callback';
const REGISTRATION = 'registration';
const AUTHORIZATION = 'authorization';

/** Sends an invalid registration: the refusal proves that the endpoint works, and creates nothing. */
export const tryRegistration = async (visit: Visit, endpoint: string): Promise<Step> => {
  const answer = await visit.postJson(endpoint, {});
  const isRefusal = answer.status === 400 && textOf(answer.json?.error) !== undefined;
  return judged(
    REGISTRATION,
    isRefusal ? undefined : registrationFault(answer, 400),
    'the endpoint answers; no client was made (--register makes one)',
  );
};

export const newClient = async (
  visit: Visit,
  endpoint: string,
  client_name: string,
): Promise<{ readonly clientId: string } | { readonly fault: Fault }> => {
  const answer = await visit.postJson(endpoint, {
    client_name,
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
  });
  const clientId = textOf(answer.json?.client_id);
  const isMade = answer.status === 201 && clientId !== undefined;
  return isMade ? { clientId } : { fault: registrationFault(answer, 201) };
};

/** Registers a client, as every new MCP client does, and requests the login page with it. */
export const register = async (
  visit: Visit,
  server: Json,
  resource: string,
): Promise<readonly Step[]> => {
  const endpoint = stringOf(server.registration_endpoint);
  const made = await newClient(visit, endpoint, 'hosted-mcp doctor');
  if ('fault' in made) return [failed(REGISTRATION, made.fault)];
  const { clientId } = made;
  const { url } = authorizationRequest(stringOf(server.authorization_endpoint), {
    client_id: clientId,
    resource,
  });
  const page = await visit.get(url.href, { accept: 'text/html' });
  return [
    ok(REGISTRATION, `a client was made: ${clientId}`),
    judged(AUTHORIZATION, pageFault(page), 'the login page is shown'),
  ];
};

const registrationFault = (answer: Visited, wanted: number): Fault =>
  statusFault(answer, [wanted]) ?? {
    what: 'the answer is none of a registration endpoint',
    cause: 'A gateway or proxy answers in its place.',
    hint: 'Lead the path to the service.',
  };

/** Source: OAuth 2.1 §4.1.1; RFC 7636; RFC 8707. */
export const authorizationRequest = (
  endpoint: string,
  parameters: Readonly<Record<string, string>>,
): { readonly url: URL; readonly verifier: string; readonly state: string } => {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(8).toString('base64url');
  const url = new URL(endpoint);
  const sent = {
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    ...parameters,
  };
  for (const [name, value] of Object.entries(sent)) url.searchParams.set(name, value);
  return { url, verifier, state };
};

/** Accepts the login page or a redirect on the same server; a redirect to the client is a refusal. */
const pageFault = (page: Visited): Fault | undefined => {
  const isRedirect = page.status >= 300 && page.status < 400;
  const target = isRedirect ? page.header('location') : wayBackIn(page.text);
  if (target !== undefined) {
    if (!target.startsWith(REDIRECT_URI)) return undefined;
    const { searchParams } = new URL(target);
    return {
      what: `the request is refused: ${searchParams.get('error') ?? 'without a reason'}`,
      cause: searchParams.get('error_description') ?? 'The server does not say.',
      hint: 'The same would happen to every client: look at the logs of the service.',
    };
  }
  return statusFault(page, [200]);
};

/** The link back to the client on an error page. Source: RFC 9700 §4.11.2. */
const wayBackIn = (html: string): string | undefined =>
  [...html.matchAll(/href="([^"]*)"/g)]
    .map(([, address = '']) => address.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&'))
    .find((address) => address.startsWith(`${REDIRECT_URI}?error=`));
