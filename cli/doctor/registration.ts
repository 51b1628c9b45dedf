import { createHash, randomBytes } from 'node:crypto';
import { type Json, textOf } from '../json.ts';
import { failed, type Fault, judged, type Step } from './step.ts';
import { statusFault, type Visit, type Visited } from './visit.ts';

/** Nobody listens there: no code ever comes. Source: RFC 8252 §7.3. */
const REDIRECT_URI = 'http://127.0.0.1:6277/callback';
const REGISTRATION = 'registration';
const AUTHORIZATION = 'authorization';

/** Asks for what must be refused, so that the endpoint shows that it is there and nothing is made. */
export const tryRegistration = async (visit: Visit, endpoint: string): Promise<Step> => {
  const answer = await visit.postJson(endpoint, {});
  const isRefusal = answer.status === 400 && textOf(answer.json?.['error']) !== undefined;
  return judged(
    REGISTRATION,
    isRefusal ? undefined : registrationFault(answer, 400),
    'the endpoint answers; no client was made (--register makes one)',
  );
};

/** Makes a client, as every new MCP client does, and asks for the login page with it. */
export const register = async (
  visit: Visit,
  server: Json,
  resource: string,
): Promise<readonly Step[]> => {
  const answer = await visit.postJson(textOf(server['registration_endpoint']) ?? '', {
    client_name: 'hosted-mcp doctor',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
  });
  const id = textOf(answer.json?.['client_id']);
  if (answer.status !== 201 || id === undefined) {
    return [failed(REGISTRATION, registrationFault(answer, 201))];
  }
  const made = judged(REGISTRATION, undefined, `a client was made: ${id}`);
  const page = await visit.get(authorizationUrl(server, id, resource), { accept: 'text/html' });
  const fault = pageFault(page);
  return [made, judged(AUTHORIZATION, fault, 'the login page is shown')];
};

const registrationFault = (answer: Visited, wanted: number): Fault =>
  statusFault(answer, [wanted]) ?? {
    what: 'the answer is none of a registration endpoint',
    cause: 'A gateway or proxy answers in its place.',
    hint: 'Lead the path to the service.',
  };

const authorizationUrl = (server: Json, clientId: string, resource: string): string => {
  const url = new URL(textOf(server['authorization_endpoint']) ?? '');
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: randomBytes(8).toString('base64url'),
    resource,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** The login page, or a way to it on the same server; anything for the client is a refusal. */
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

/** Where a person may choose to go who is refused on a page. Source: RFC 9700 §4.11.2. */
const wayBackIn = (html: string): string | undefined =>
  [...html.matchAll(/href="([^"]*)"/g)]
    .map(([, address = '']) => address.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&'))
    .find((address) => address.startsWith(`${REDIRECT_URI}?error=`));
