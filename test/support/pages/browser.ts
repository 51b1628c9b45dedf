import { existsSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { server } from '../../../layers/oauth/routes/server.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import type { HttpReply } from '../../../layers/platform/http/reply.ts';
import { startGateway } from '../../../local/gateway/index.ts';
import { listening } from '../target/listening.ts';
import { anOAuthService, CHALLENGE, type OAuthSettings, type TestOAuth } from '../oauth/oauth.ts';

const CHROMIUM = '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);

/** So that a page that does not come is told by what was waited for, before the test itself ends. */
const MOST_WAIT_MS = 120_000;

/** A browser that talks to nobody by itself. */
export const launchChromium = async (options: LaunchOptions = {}): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    ...options,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-site-isolation-trials',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...(options.args ?? []),
    ],
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (contextOptions) => {
    const context = await newContext(contextOptions);
    context.setDefaultTimeout(MOST_WAIT_MS);
    return context;
  };
  return browser;
};

export interface Website {
  readonly service: TestOAuth;
  /** Of the authorization server. */
  readonly issuer: string;
  readonly origin: string;
  /** The address a client opens. What is undefined is left out. */
  authorizeUrl(over: Readonly<Record<string, string | undefined>>): string;
  stop(): Promise<void>;
}

const HIGH_LIMITS = {
  authorize_per_hour_per_ip: 10_000,
  authorize_per_minute_per_client: 10_000,
  logins_per_minute_per_ip: 10_000,
  account_requests_per_hour_per_ip: 10_000,
};

/** The authorization server behind the gateway of the local run, on a port of its own. */
export const startWebsite = async (settings: OAuthSettings = {}): Promise<Website> => {
  const limits = { ...HIGH_LIMITS, ...settings.limits };
  const service = await anOAuthService({ ...settings, limits });
  let send: ((event: HttpEvent) => Promise<HttpReply>) | undefined;
  const gateway = await startGateway({
    port: 0,
    routes: [
      { key: 'ANY /v1/mcp-oauth-server/{rest+}', functionName: 'oauth' },
      { key: 'ANY /v1/mcp-management/{rest+}', functionName: 'oauth' },
    ],
    invoke: async (_, event) => JSON.stringify(await send?.(JSON.parse(event))),
  });
  const origin = `http://localhost:${gateway.port}`;
  const issuer = `${origin}/v1/mcp-oauth-server`;
  send = server({
    ...service.ports,
    settings: { ...service.ports.settings, baseUrl: `${origin}/v1` },
  });
  return {
    service,
    issuer,
    origin,
    authorizeUrl: (over) => {
      const query = new URLSearchParams();
      const all = { ...REQUEST, ...over };
      for (const [name, value] of Object.entries(all)) {
        if (value !== undefined) query.set(name, value);
      }
      return `${issuer}/authorize?${query}`;
    },
    stop: async () => {
      await gateway.close(100);
      await service.stop();
    },
  };
};

const REQUEST = {
  response_type: 'code',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  state: 'st&te/+ %25',
};

export interface CallbackSite {
  readonly port: number;
  /** The queries that came, in order. */
  readonly queries: readonly URLSearchParams[];
  stop(): Promise<void>;
}

/** The site of a client that lives on the web, as far as the browser knows. */
export const WEBSITE_HOST = 'app.example.com';

/** A client that waits for its answer on loopback. */
export const startCallback = (): Promise<CallbackSite> => listenTo(createHttpServer);

/** One whose host is `WEBSITE_HOST` to a browser that is told so. */
export const startSecureCallback = (): Promise<CallbackSite> =>
  listenTo((listener) =>
    createHttpsServer({ key: pem('localhost.key.pem'), cert: pem('localhost.cert.pem') }, listener),
  );

const pem = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../tls', name));

const listenTo = async (create: (listener: RequestListener) => Server): Promise<CallbackSite> => {
  const queries: URLSearchParams[] = [];
  const listener = create((request, response) => {
    const url = new URL(request.url ?? '', 'http://client');
    if (url.pathname === '/callback') queries.push(url.searchParams);
    if (url.pathname === '/onward') {
      response.statusCode = 302;
      response.setHeader('location', `https://${WEBSITE_HOST}/done`);
    }
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><html lang="en"><title>Connected</title>Connected.');
  });
  return { ...(await listening(listener)), queries };
};
