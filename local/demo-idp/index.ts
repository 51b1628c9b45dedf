import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { checkFormOrigin } from '../../layers/platform/rules/origin.ts';
import { close, listen } from '../loopback-server.ts';
import { readBody } from '../read-body.ts';
import { signAssertion } from './assertion.ts';
import { homePage, noticePage, signInPage, STYLE_HASH } from './pages.ts';
import { claimsOf, DEMO_DOMAIN, DEMO_PEOPLE, type DemoPerson } from './people.ts';
import { type DemoState, openDemoState } from './state.ts';

/** Id of this provider in the service's list of trusted ones. */
export const DEMO_ID = 'demo';
const CLIENT_ID = 'hosted-mcp';

export interface DemoIdp {
  readonly issuer: string;
  /** The provider's entry in an operator's list. Source: docs/access.md, "Identity providers". */
  readonly provider: object;
  readonly clientSecret: string;
  close(): Promise<void>;
}

interface DemoSettings {
  /** Base URL of the service; ends in `/v1`. */
  readonly baseUrl: string;
  readonly dataFolder: string;
  /** Another port is taken if this one is in use. */
  readonly preferredPort: number;
}

/** What we use of `oidc-provider`, which has no types. */
interface Oidc {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ readonly params: Readonly<Record<string, unknown>> }>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
    options: { readonly mergeWithLastSubmission: boolean },
  ): Promise<void>;
  readonly Grant: new (of: object) => {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  };
}

/**
 * A company's identity provider on this machine, for trying sign-in and identity assertions: `oidc-provider` with
 * three people whom anybody can play. A button lets one of them leave.
 * Source: docs/local-run.md, "A company on one machine".
 */
export const startDemoIdp = async ({
  baseUrl,
  dataFolder,
  preferredPort,
}: DemoSettings): Promise<DemoIdp> => {
  const state = openDemoState(dataFolder);
  const server = createServer();
  const port = await listen(server, preferredPort).catch(() => listen(server, 0));
  const host = `127.0.0.1:${port}`;
  const issuer = `http://${host}`;
  const authorizationServer = `${baseUrl}/mcp-oauth-server`;
  const signIn = `${authorizationServer}/sign-in/${DEMO_ID}`;
  const oidc = await openProvider(issuer, `${signIn}/callback`, state);
  const places: Places = { issuer, signIn, authorizationServer };
  const own = ownPages(oidc, state, places);
  const rest = oidc.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Against DNS rebinding: a web page could have a host name of its own that leads to this machine.
    if (request.headers.host !== host) {
      send(response, 403, noticePage('Not here', `Acme is at ${issuer}.`));
      return;
    }
    own(request, response).then(
      (isDone) => isDone || rest(request, response),
      () => send(response, 400, noticePage('That did not work', `Go back to ${issuer}.`)),
    );
  });
  return {
    issuer,
    provider: {
      id: DEMO_ID,
      name: 'Acme',
      issuer,
      email_domains: [DEMO_DOMAIN],
      create_accounts: true,
      plan: 'pro',
      deployments: 'all',
      assertions: { public_clients: true },
      // The shortest recheck, so that a person who leaves is locked out while somebody watches.
      sign_in: {
        client_id: CLIENT_ID,
        scopes: ['openid', 'email', 'groups'],
        recheck_seconds: 300,
      },
    },
    clientSecret: state.clientSecret,
    close: () => close(server),
  };
};

const personOf = (id: unknown): DemoPerson | undefined =>
  DEMO_PEOPLE.find((person) => person.id === id);

const openProvider = async (
  issuer: string,
  redirectUri: string,
  state: DemoState,
): Promise<Oidc> => {
  // Imported only when it is needed: it is no part of the service, and takes a moment to load.
  const { default: Provider } = (await import('oidc-provider' as string)) as {
    readonly default: new (issuer: string, configuration: object) => Oidc;
  };
  const provider: Oidc = new Provider(issuer, {
    adapter: (kind: string) => state.adapter(kind),
    clients: [
      {
        client_id: CLIENT_ID,
        client_name: 'Hosted MCP',
        client_secret: state.clientSecret,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [redirectUri],
        require_auth_time: true,
      },
    ],
    jwks: { keys: [state.key] },
    cookies: { keys: [state.cookieKey], names: COOKIES },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'offline_access', 'email', 'groups'],
    conformIdTokenClaims: false,
    clientBasedCORS: () => false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    renderError: (answer: { type: string; body: string }, { error }: { error: string }) => {
      answer.type = 'html';
      answer.body = noticePage(
        'That did not work',
        `Go back to Hosted MCP and begin again (${error}).`,
      );
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: async () => true,
    ttl: TTL_SECONDS,
    // A person who has left is not found, so that nothing of theirs is renewed.
    findAccount: async (_: unknown, id: string) => {
      const person = state.hasLeft(id) ? undefined : personOf(id);
      return person && { accountId: id, claims: async () => claimsOf(person) };
    },
    // Without a consent page: the company has this one application.
    loadExistingGrant: async ({ oidc }: { oidc: SignedIn }) => {
      const { session, client } = oidc;
      if (state.hasLeft(session.accountId)) return undefined;
      const grant = new provider.Grant({
        accountId: session.accountId,
        clientId: client.clientId,
      });
      grant.addOIDCScope('openid email groups offline_access');
      await grant.save();
      return grant;
    },
  });
  return provider;
};

/** Names of its own, since cookies go to every port of a machine. */
const COOKIES = { session: 'acme-session', interaction: 'acme-interaction', resume: 'acme-resume' };

const HOUR = 3600;
const TTL_SECONDS = {
  AccessToken: HOUR,
  AuthorizationCode: 60,
  Grant: 90 * 24 * HOUR,
  IdToken: HOUR,
  Interaction: HOUR,
  RefreshToken: 90 * 24 * HOUR,
  Session: 8 * HOUR,
};

interface SignedIn {
  readonly session: { readonly accountId: string };
  readonly client: { readonly clientId: string };
}

interface Places {
  readonly issuer: string;
  readonly signIn: string;
  readonly authorizationServer: string;
}

/** Pages besides those of OpenID Connect. @returns whether the request was for one of them */
const ownPages = (
  oidc: Oidc,
  state: DemoState,
  { issuer, signIn, authorizationServer }: Places,
) => {
  const home = (more: { readonly signed?: string; readonly says?: string } = {}): string =>
    homePage({ hasLeft: state.hasLeft, signIn, service: authorizationServer, ...more });

  const posted = async (request: IncomingMessage): Promise<URLSearchParams> => {
    const { origin, 'sec-fetch-site': fetchSite } = request.headers;
    checkFormOrigin({ origin, fetchSite: fetchSite as string | undefined }, issuer);
    return new URLSearchParams(String((await readBody(request, MAX_BYTES)) ?? ''));
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    const at = `${request.method} ${pathname}`;
    if (at === 'GET /') return send(response, 200, home());
    if (pathname.startsWith('/interaction/')) {
      return interaction(oidc, state, posted, request, response);
    }
    if (!POSTED.has(at)) return false;
    const sent = await posted(request);
    const person = personOf(sent.get('person'));
    if (!person)
      return send(response, 400, noticePage('Nobody', 'Nobody of this name is at Acme.'));
    if (at !== 'POST /assertions') {
      if (!person.mayLeave) return send(response, 400, home({ says: `${person.name} stays.` }));
      if (at === 'POST /leave') state.leave(person.id);
      else state.comeBack(person.id);
      // A redirect, so that reloading the page does not post again.
      response.writeHead(303, { location: '/' }).end();
      return true;
    }
    if (state.hasLeft(person.id)) {
      return send(response, 403, home({ says: `${person.name} has left Acme.` }));
    }
    const signed = await signAssertion(
      state,
      person,
      {
        issuer,
        audience: authorizationServer,
        clientId: sent.get('client_id') ?? '',
        resource: sent.get('resource') ?? '',
      },
      Math.floor(Date.now() / 1000),
    );
    const wantsText = request.headers.accept === 'text/plain';
    return wantsText
      ? send(response, 200, signed, 'text/plain')
      : send(response, 200, home({ signed }));
  };
};

const POSTED: ReadonlySet<string> = new Set(['POST /assertions', 'POST /come-back', 'POST /leave']);
const MAX_BYTES = 16 * 1024;

const interaction = async (
  oidc: Oidc,
  state: DemoState,
  posted: (request: IncomingMessage) => Promise<URLSearchParams>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> => {
  const { params } = await oidc.interactionDetails(request, response);
  const { hasLeft } = state;
  if (request.method !== 'POST') {
    const hint = typeof params['login_hint'] === 'string' ? params['login_hint'] : '';
    return send(response, 200, signInPage(request.url ?? '', { hasLeft, hint }));
  }
  const person = personOf((await posted(request)).get('person'));
  const result =
    person && !hasLeft(person.id)
      ? { login: { accountId: person.id } }
      : { error: 'access_denied', error_description: 'Nobody has signed in.' };
  await oidc.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  return true;
};

const send = (
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/html',
): boolean => {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    // No form-action: forms lead to the service, and its redirects to clients.
    'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
  return true;
};
