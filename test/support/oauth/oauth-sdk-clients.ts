import {
  Client as ClientTwo,
  StreamableHTTPClientTransport as HttpTwo,
  UnauthorizedError as UnauthorizedTwo,
} from '@modelcontextprotocol/client';
import {
  type OAuthDiscoveryState,
  UnauthorizedError as UnauthorizedOne,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOne } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { McpClient } from '../mcp/mcp-clients.ts';

/** What an application keeps for its MCP client, and where it sends its user. */
export interface Application {
  readonly redirectUrl: string;
  readonly clientMetadata: {
    readonly client_name: string;
    readonly redirect_uris: string[];
    readonly token_endpoint_auth_method?: string;
    readonly scope?: string;
  };
  /** The address that the user was last sent to. */
  sentTo: URL | undefined;
  client: OAuthClientInformationMixed | undefined;
  tokens: KeptTokens | undefined;
  verifier: string;
  /** What it found out about the server, as the SDK wants it kept. */
  discovered: OAuthDiscoveryState | undefined;
}

interface KeptTokens {
  access_token: string;
  token_type: string;
  refresh_token?: string | undefined;
  scope?: string | undefined;
}

export interface ApplicationSettings {
  readonly redirectUrl?: string;
  readonly authMethod?: string;
  readonly scope?: string;
}

export const anApplication = (settings: ApplicationSettings = {}): Application => {
  const { redirectUrl = 'http://127.0.0.1:6277/callback', authMethod = 'none', scope } = settings;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'An application',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: authMethod,
      ...(scope !== undefined && { scope }),
    },
    sentTo: undefined,
    client: undefined,
    tokens: undefined,
    verifier: '',
    discovered: undefined,
  };
};

/** A client of an SDK that finds its own way in. */
interface OAuthSdkClient {
  readonly client: McpClient;
  /** @throws whatever the SDK throws if it needs its user; `isUnauthorized` knows it */
  connect(): Promise<void>;
  /** Goes on with the answer that the user brought back. */
  finish(callback: URL): Promise<void>;
}

export interface OAuthSdk {
  readonly name: string;
  /** Where a scope is missing it refreshes, which grants no more than before, and gives up then. */
  readonly refreshesFirst?: true;
  open(url: string, application: Application, options: OpenOptions): OAuthSdkClient;
}

export interface OpenOptions {
  readonly fetch: typeof fetch;
  /** As clients of 2025-03-26, which know no resource indicators. */
  readonly noResource?: boolean;
  /** Where the application is described, for servers that read such documents. */
  readonly clientMetadataUrl?: string;
}

const NAME = { name: 'conformance', version: '1.0.0' };

const providerOf = (
  application: Application,
  { noResource = false, clientMetadataUrl }: OpenOptions,
) => ({
  redirectUrl: application.redirectUrl,
  clientMetadata: application.clientMetadata,
  state: () => 'a state',
  clientInformation: () => application.client,
  saveClientInformation: (client: OAuthClientInformationMixed) => {
    application.client = client;
  },
  tokens: () => application.tokens,
  saveTokens: (tokens: KeptTokens) => {
    application.tokens = tokens;
  },
  redirectToAuthorization: (url: URL) => {
    application.sentTo = url;
  },
  saveCodeVerifier: (verifier: string) => {
    application.verifier = verifier;
  },
  codeVerifier: () => application.verifier,
  saveDiscoveryState: (state: OAuthDiscoveryState) => {
    application.discovered = state;
  },
  discoveryState: () => application.discovered,
  invalidateCredentials: (scope: string) => {
    if (scope === 'tokens' || scope === 'all') application.tokens = undefined;
    if (scope === 'client' || scope === 'all') application.client = undefined;
  },
  ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
  ...(noResource && { validateResourceURL: () => Promise.resolve(undefined) }),
});

const one: OAuthSdk['open'] = (url, application, options) => {
  const authProvider = providerOf(application, options);
  const client = new ClientOne(NAME);
  const transport = new HttpOne(new URL(url), { authProvider, fetch: options.fetch });
  return {
    client: client as McpClient,
    connect: () => client.connect(transport),
    finish: (callback) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
  };
};

const two =
  (mode: 'legacy' | 'auto' | { pin: string }): OAuthSdk['open'] =>
  (url, application, options) => {
    const authProvider = providerOf(application, options);
    const client = new ClientTwo(NAME, { versionNegotiation: { mode } });
    const transport = new HttpTwo(new URL(url), { authProvider, fetch: options.fetch });
    return {
      client,
      connect: () => client.connect(transport),
      finish: (callback) => transport.finishAuth(callback.searchParams),
    };
  };

/** The clients as people use them; the last ones ask for newer versions of the protocol first, or alone. */
export const SDKS: readonly [OAuthSdk, ...OAuthSdk[]] = [
  { name: '@modelcontextprotocol/sdk 1.32', open: one, refreshesFirst: true },
  { name: '@modelcontextprotocol/client 2.4', open: two('legacy') },
  { name: '@modelcontextprotocol/client 2.4 that looks for newer versions', open: two('auto') },
  { name: '@modelcontextprotocol/client 2.4 of 2026-07-28', open: two({ pin: '2026-07-28' }) },
];

/** Whether an SDK says that its user has to let it in. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof UnauthorizedOne || error instanceof UnauthorizedTwo;

/**
 * The whole way in: refused, sent to the authorization server, back with a code, and connected.
 *
 * @param visit - what the user does at the address they are sent to; resolves with the callback
 */
export const letIn = async (
  sdk: OAuthSdk,
  url: string,
  application: Application,
  options: OpenOptions,
  visit: (address: URL) => Promise<URL>,
): Promise<McpClient> => {
  const first = sdk.open(url, application, options);
  const refused = await first.connect().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isUnauthorized(refused)) throw new Error('it was let in at once', { cause: refused });
  if (!application.sentTo) throw new Error('it did not send its user anywhere');
  await first.finish(await visit(application.sentTo));
  await first.client.close();

  const second = sdk.open(url, application, options);
  await second.connect();
  return second.client;
};
