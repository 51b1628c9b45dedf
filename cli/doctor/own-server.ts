import type { Context } from '../command.ts';
import { Failure } from '../failure.ts';
import { formBrowser, formFor } from '../smoke/form-browser.ts';
import { logIn } from '../smoke/login.ts';
import { serviceAddresses } from '../smoke/service-steps.ts';
import type { Addresses } from './addresses.ts';
import type { Mode } from './metadata.ts';
import { newClient } from './registration.ts';
import { failed, ok, skipped, type Step } from './step.ts';
import type { Visit } from './visit.ts';

export interface Known {
  readonly mode: Mode;
  readonly steps: readonly Step[];
}

/** Asks the service, and calls no API. @returns undefined where nobody is signed in, or the server is not theirs */
export const examinedByService = async (
  { api, output }: Pick<Context, 'api' | 'output'>,
  slug: string,
): Promise<Known | undefined> => {
  const path = { slug };
  try {
    const [{ mcp_auth_method: mode }, { items }] = await Promise.all([
      api.call('GET /deployments/{slug}', { path }),
      api.call('GET /deployments/{slug}/doctor', { path }),
    ]);
    return { mode, steps: items };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The first step of a client will report that the service is unreachable.
    if (error.code !== 'unreachable') {
      output.note(`Without what the service knows, and without a token: ${error.message}`);
    }
    return undefined;
  }
};

export interface OwnToken {
  readonly steps: readonly Step[];
  readonly token?: string;
  readonly end: () => Promise<void>;
}

const SIGN_IN = 'sign-in';
const NAME = 'hosted-mcp doctor';
/** Seconds that a minted token lives: enough for the steps that need it. */
const LIFE = 300;

/** Gets an owner's token for a server as a client would, with a function to end it. */
export const ownToken = async (
  context: Context,
  visit: Visit,
  addresses: Addresses,
  mode: Mode,
): Promise<OwnToken> => {
  try {
    if (mode === 'jwt') return await minted(context, addresses.slug);
    if (mode === 'oauth') return await consented(context, visit, addresses);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { steps: [skipped(SIGN_IN, error.message)], end: done };
  }
  return { steps: [], end: done };
};

const done = async (): Promise<void> => undefined;

const minted = async ({ api }: Context, slug: string): Promise<OwnToken> => {
  const { token, jti } = await api.call('POST /deployments/{slug}/tokens', {
    path: { slug },
    json: { name: NAME, expires_in: LIFE },
  });
  return {
    steps: [ok(SIGN_IN, 'a token of five minutes is minted, and ended afterwards')],
    token,
    end: async () => {
      await api.call('DELETE /deployments/{slug}/tokens/{jti}', { path: { slug, jti } });
    },
  };
};

/** Signs in a browser by a console link. The client is registered once and reused. */
const consented = async (
  { accounts, api, world }: Context,
  visit: Visit,
  { origin, slug, messages: resource }: Addresses,
): Promise<OwnToken> => {
  const service = serviceAddresses(api.baseUrl);
  const { url } = await api.call('POST /sessions/console-links', {
    json: { return_to: `${new URL(api.baseUrl).pathname}/console/` },
  });
  const browser = formBrowser(
    { fetch: (url, request) => world.fetch(url, named(request)) },
    origin,
  );
  const page = await browser.open(url);
  if (!formFor(page, '/open')) {
    return { steps: [skipped(SIGN_IN, 'the link of the service does not sign in')], end: done };
  }
  await browser.submit(page, '/open');

  const registered = async (): Promise<string | Step> => {
    const made = await newClient(visit, `${service.issuer}/register`, NAME);
    if ('fault' in made) return failed(SIGN_IN, made.fault);
    await accounts.keepClient(api.baseUrl, made.clientId);
    return made.clientId;
  };
  const known = await accounts.clientId(api.baseUrl);
  let clientId = known ?? (await registered());
  if (typeof clientId !== 'string') return { steps: [clientId], end: done };
  let signedIn = await logIn(visit, browser, service, { clientId, resource });
  // A known client may have been removed at the service.
  if (signedIn.accessToken === undefined && known !== undefined) {
    clientId = await registered();
    if (typeof clientId !== 'string') return { steps: [clientId], end: done };
    signedIn = await logIn(visit, browser, service, { clientId, resource });
  }
  const { steps, accessToken: token } = signedIn;
  return {
    steps,
    ...(token !== undefined && { token }),
    end: async () => {
      const path = { slug };
      const grants = await api.list('GET /deployments/{slug}/grants', { path });
      for (const { id, client_id: client } of grants) {
        if (client !== clientId) continue;
        await api.call('DELETE /deployments/{slug}/grants/{id}', { path: { slug, id } });
      }
      const sessions = await api.list('GET /sessions');
      for (const { id, user_agent: agent } of sessions) {
        if (agent === NAME) await api.call('DELETE /sessions/{id}', { path: { id } });
      }
    },
  };
};

/** Sets a user agent by which the session of this browser is found and ended. */
const named = (request: RequestInit): RequestInit => {
  const headers = new Headers(request.headers);
  headers.set('user-agent', NAME);
  return { ...request, headers };
};
