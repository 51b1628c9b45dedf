import { randomBytes } from 'node:crypto';
import { type Api, apiAt } from '../api/api.ts';
import { addressesOf } from '../doctor/addresses.ts';
import { examine } from '../doctor/examine.ts';
import { newClient } from '../doctor/registration.ts';
import { failed, type Fault, judged, ok, skipped, type Step } from '../doctor/step.ts';
import { statusFault, type Visit, type Visited } from '../doctor/visit.ts';
import { Failure } from '../failure.ts';
import { jsonOf, listOf, numberOf, stringOf, textOf } from '../json.ts';
import type { World } from '../world.ts';
import { formBrowser } from './form-browser.ts';
import { logIn, type Person } from './login.ts';
import type { ServiceAddresses } from './service-steps.ts';

export interface OwnerRun {
  readonly world: Pick<World, 'fetch'>;
  readonly visit: Visit;
  readonly addresses: ServiceAddresses;
  readonly person: Person;
  readonly target: URL;
  readonly print: (steps: readonly Step[]) => void;
  /** Removes the OAuth client of this run; undefined without the right to do so. */
  readonly endClient?: ((clientId: string) => Promise<unknown>) | undefined;
  readonly note: (text: string) => void;
}

/** Plays an owner and the owner's client. All that it creates is removed, however it ends. */
export const ownerSteps = async (run: OwnerRun): Promise<void> => {
  const { world, visit, addresses, person, print } = run;
  const { base } = addresses;
  const answer = await visit.postJson(`${addresses.management}/sessions`, person);
  const token = textOf(answer.json?.access_token);
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
      hint: 'npx --no-install hosted-mcp admin account EMAIL --stage STAGE makes one.',
    };
  }
  const noToken = { what: 'the answer has no token', ...CHANGED };
  return statusFault(answer, [200]) ?? (token === undefined ? noToken : undefined);
};

const CHANGED: Pick<Fault, 'cause' | 'hint'> = {
  cause: 'What arrived is not what was sent: a gateway or proxy cuts or recodes bodies.',
  hint: 'Let bodies of up to 6 MB pass as they are, whatever their content type and encoding.',
};

/** Uploads 3 MB as JSON, then as gzip, and reads each back. @returns whether there is a deployment */
const upload = async (
  { target, print }: OwnerRun,
  api: Api,
  slug: string,
  removals: Removal[],
): Promise<boolean> => {
  const path = { slug };
  const first = largeDescription(target);
  // The server is removed even if only the answer to its creation was lost.
  removals.push(() => api.call('DELETE /deployments/{slug}', { path }));
  const json = { slug, openapi: first, mcp_auth_method: 'oauth' } as const;
  const made = await tried('upload of 3 MB', () => api.call('POST /deployments', { json }));
  print([made]);
  if (made.outcome !== 'ok') return false;
  print([await readBack(api, slug, first)]);

  const second = first.replace('"title":"Smoke"', '"title":"Smoked"');
  const packed = { openapi: second };
  const again = await tried('upload as gzip', () =>
    api.call('PATCH /deployments/{slug}', { path, packed }),
  );
  print(again.outcome === 'ok' ? [again, await readBack(api, slug, second)] : [again]);
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

const readBack = async (api: Api, slug: string, sent: string): Promise<Step> => {
  const name = 'what was uploaded';
  try {
    const bytes = await api.download('GET /deployments/{slug}/openapi', { path: { slug } });
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
  const made = await newClient(visit, `${addresses.issuer}/register`, 'hosted-mcp smoke');
  const clientId = 'fault' in made ? undefined : made.clientId;
  print([judged('registration', 'fault' in made ? made.fault : undefined, `made ${clientId}`)]);
  if (clientId !== undefined) {
    if (endClient) removals.push(() => endClient(clientId));
    else note(`The client ${clientId} stays until it ends unused; --stage removes it.`);
  }
  const request = clientId && { clientId, resource: deployment.messages, person };
  const browser = formBrowser(world, deployment.origin);
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

const CALL = {
  jsonrpc: '2.0',
  id: 4,
  method: 'tools/call',
  params: { name: 'getPage', arguments: {} },
};

const toolCall = async (
  visit: Visit,
  messages: string,
  token: string | undefined,
): Promise<Step> => {
  const name = 'tool call';
  if (token === undefined) return skipped(name, 'there is no token');
  const answer = await visit.rpc(messages, CALL, { authorization: `Bearer ${token}` });
  const wrong = statusFault(answer, [200]);
  if (wrong) return failed(name, wrong);
  const { result, error } = answer.json ?? {};
  const text = stringOf(listOf(jsonOf(result).content)[0]?.text);
  const isGood = error === undefined && text !== '' && jsonOf(result).isError !== true;
  if (isGood) return ok(name, `a tool answers, ${text.length} characters`);
  const message = textOf(jsonOf(error).message) ?? (text || 'nothing');
  const code = numberOf(jsonOf(error).code);
  return failed(name, {
    what: `it ends with ${code === undefined ? '' : `${code}: `}${message.slice(0, 200)}`,
    cause: 'The API behind it does not answer, or functions cannot reach it.',
    hint: 'Choose another page with --target; it must answer a GET without a login.',
  });
};

type Removal = () => Promise<unknown>;

/** Removals run in reverse order; failures do not stop them. */
const cleanUp = async (api: Api, removals: readonly Removal[]): Promise<Step> => {
  const all = [() => api.call('DELETE /sessions/current'), ...removals].reverse();
  const left: string[] = [];
  for (const remove of all) {
    await remove().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      if (error.details.status !== 404) left.push(error.message);
    });
  }
  return judged(
    'tidying up',
    left.length === 0
      ? undefined
      : {
          what: `something stays behind: ${left.join(' ')}`,
          cause: 'The service refuses or does not answer any more.',
          hint: 'npx --no-install hosted-mcp ls shows what is there, npx --no-install hosted-mcp rm removes it.',
        },
    'what was made is gone',
  );
};

/** Size that many proxies refuse, and that needs care between an HTTP API and its function. */
const LARGE_BYTES = 3 * 1024 * 1024;

const PAGE = 'What a description of a grown API says of one field, and then of the next. '.repeat(
  20,
);

/** A large description with one operation, `getPage`. @param target - the address that the operation reads */
const largeDescription = (target: URL): string => {
  const schemas: Record<string, object> = {};
  for (let bytes = 0; bytes < LARGE_BYTES; bytes += PAGE.length) {
    schemas[`S${Object.keys(schemas).length}`] = { type: 'string', description: PAGE };
  }
  const operation = {
    operationId: 'getPage',
    summary: 'Reads the page that the smoke run was given',
    responses: { '200': { description: 'The page' } },
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Smoke', version: '1' },
    servers: [{ url: target.origin }],
    paths: { [target.pathname]: { get: operation } },
    components: { schemas },
  });
};
