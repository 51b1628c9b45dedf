import { randomBytes } from 'node:crypto';
import { type Api, apiAt, pathOf } from '../api/api.ts';
import { addressesOf } from '../doctor/addresses.ts';
import { examine } from '../doctor/examine.ts';
import { failed, type Fault, judged, ok, type Step } from '../doctor/step.ts';
import { statusFault, type Visit, type Visited } from '../doctor/visit.ts';
import { Failure } from '../failure.ts';
import { textOf } from '../json.ts';
import type { World } from '../world.ts';
import { largeDescription } from './large-description.ts';
import { logIn, type Person } from './login.ts';
import { pageBrowser } from './page-visit.ts';
import { registerClient, type ServiceAddresses } from './service-steps.ts';
import { type Removal, cleanUp } from './clean-up.ts';
import { toolCall } from './tool-call.ts';

export interface OwnerRun {
  readonly world: Pick<World, 'fetch'>;
  readonly visit: Visit;
  readonly addresses: ServiceAddresses;
  readonly person: Person;
  /** What the one tool reads. */
  readonly target: URL;
  readonly print: (steps: readonly Step[]) => void;
  /** Removes the OAuth client of this run, where somebody may. */
  readonly endClient?: ((clientId: string) => Promise<unknown>) | undefined;
  /** Hears of what stays behind. */
  readonly note: (text: string) => void;
}

/** What an owner and the client of an owner do; what it makes is removed, however it ends. */
export const ownerSteps = async (run: OwnerRun): Promise<void> => {
  const { world, visit, addresses, person, print } = run;
  const { base } = addresses;
  const answer = await visit.postJson(`${addresses.management}/sessions`, person);
  const token = textOf(answer.json?.['access_token']);
  print([judged('session', sessionFault(answer, token), `signed in as ${person.email}`)]);
  if (token === undefined) return;

  const api = apiAt(world, base, () => Promise.resolve(token));
  const slug = `smoke-${randomBytes(6).toString('hex')}`;
  const removals: Removal[] = [];
  try {
    if (await upload(run, api, slug, removals)) await asClient(run, slug, removals);
  } finally {
    print([await cleanUp(api, removals)]);
  }
};

const sessionFault = (answer: Visited, token: string | undefined): Fault | undefined => {
  if (answer.status === 401) {
    return {
      what: 'the login is refused',
      cause: 'The password is wrong, or the account is locked or was never made.',
      hint: 'npx hosted-mcp admin account EMAIL --stage STAGE makes one.',
    };
  }
  const noToken = { what: 'the answer has no token', ...CHANGED };
  return statusFault(answer, [200]) ?? (token === undefined ? noToken : undefined);
};

const CHANGED: Pick<Fault, 'cause' | 'hint'> = {
  cause: 'What arrived is not what was sent: a gateway or proxy cuts or recodes bodies.',
  hint: 'Let bodies of up to 6 MB pass as they are, whatever their content type and encoding.',
};

/** 3 MB as JSON, then as gzip, each read back. @returns whether there is a deployment */
const upload = async (
  { target, print }: OwnerRun,
  api: Api,
  slug: string,
  removals: Removal[],
): Promise<boolean> => {
  const path = pathOf('deployments', slug);
  const first = largeDescription(target);
  // Also where the answer was lost on its way.
  removals.push(() => api.call('DELETE', path));
  const json = { slug, openapi: first, mcp_auth_method: 'oauth' };
  const made = await tried('upload of 3 MB', () => api.call('POST', '/deployments', { json }));
  print([made]);
  if (made.outcome !== 'ok') return false;
  print([await readBack(api, path, first)]);

  const second = first.replace('"title":"Smoke"', '"title":"Smoked"');
  const packed = { openapi: second };
  const again = await tried('upload as gzip', () => api.call('PATCH', path, { packed }));
  print(again.outcome === 'ok' ? [again, await readBack(api, path, second)] : [again]);
  return true;
};

const tried = async (name: string, act: () => Promise<unknown>): Promise<Step> => {
  try {
    await act();
    return ok(name, 'accepted');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failed(name, uploadFault(error));
  }
};

const uploadFault = ({ message, code, details }: Failure): Fault => {
  const { status = 0, hint, findings = [] } = details;
  const what = [message.replace(/\.$/, ''), ...findings.map((one) => one.what)].join(': ');
  if (code === 'limit_reached' || code === 'rate_limited') {
    const cause = 'It is a limit of the account, not a fault of the service.';
    return { what, cause, hint: hint ?? 'Take an account that owns less.' };
  }
  if (status === 413 || code === 'not_the_service') {
    return { what, cause: 'A gateway or proxy refuses bodies of this size.', hint: CHANGED.hint };
  }
  if (status >= 500 || status === 0) {
    const cause = 'The function failed, ran out of time, or a gateway in front of it did.';
    return { what, cause, hint: hint ?? 'Look at the log of the function management.' };
  }
  return { what, ...CHANGED };
};

const readBack = async (api: Api, path: string, sent: string): Promise<Step> => {
  const name = 'what was uploaded';
  try {
    const bytes = await api.download(`${path}/openapi`);
    const isSame = Buffer.from(sent).equals(bytes);
    return judged(
      name,
      isSame
        ? undefined
        : {
            what: `${bytes.length} bytes come back instead of ${Buffer.byteLength(sent)}`,
            ...CHANGED,
          },
      'comes back byte for byte',
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failed(name, uploadFault(error));
  }
};

const asClient = async (run: OwnerRun, slug: string, removals: Removal[]): Promise<void> => {
  const { world, visit, addresses, person, endClient, print, note } = run;
  const deployment = addressesOf(`${addresses.base}/mcp-router/${slug}/messages`);
  const { step, clientId } = await registerClient(visit, addresses);
  print([step]);
  if (clientId !== undefined) {
    if (endClient) removals.push(() => endClient(clientId));
    else note(`The client ${clientId} stays until it ends unused; --stage removes it.`);
  }
  const request = clientId && { clientId, resource: deployment.messages, person };
  const browser = pageBrowser(world, deployment.origin);
  const loggedIn = request ? await logIn(visit, browser, addresses, request) : { steps: [] };
  print(loggedIn.steps);
  const { accessToken: token, refreshToken } = loggedIn;
  if (refreshToken !== undefined && clientId !== undefined) {
    const sent = { token: refreshToken, client_id: clientId };
    removals.push(() => visit.postForm(`${addresses.issuer}/revoke`, sent));
  }
  await examine(visit, deployment, { register: false, token }, (one) =>
    print([{ ...one, step: `client: ${one.step}` }]),
  );
  print([await toolCall(visit, deployment.messages, token)]);
};
