import { createHash, randomUUID } from 'node:crypto';
import { authorize, type FormBrowser, type SignIn } from './form-browser.ts';
import type { PublishedServer, WholeService } from '../service/whole-service.ts';

/** A client that does as it is told, without the help of a library. */
export interface RawOAuthClient {
  readonly id: string;
  /** Undefined for a public one. */
  readonly secret: string | undefined;
  /** Where it sends its user. */
  address(server: PublishedServer): URL;
  /** A code for a person's consent to a server. */
  code(browser: FormBrowser, person: SignIn, server: PublishedServer): Promise<string>;
  redeem(code: string): Promise<Response>;
  refresh(refreshToken: string): Promise<Response>;
  /** Consent and redemption in one. */
  tokens(browser: FormBrowser, person: SignIn, server: PublishedServer): Promise<RawTokens>;
}

export interface RawTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const REDIRECT_URI = 'http://127.0.0.1/callback';

export const aRawClient = async (
  service: Pick<WholeService, 'issuer' | 'fetch'>,
  method: 'none' | 'client_secret_post' = 'none',
  name = 'A raw client',
): Promise<RawOAuthClient> => {
  const { issuer, fetch: send } = service;
  const answer = await send(`${issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: method,
    }),
  });
  const { client_id: id, client_secret: secret } = (await answer.json()) as Record<string, string>;
  if (id === undefined) throw new Error(`registration answered ${answer.status}`);
  const verifier = `${randomUUID()}${randomUUID()}`;

  const post = (fields: Record<string, string>): Promise<Response> =>
    send(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: id,
        ...(secret !== undefined && { client_secret: secret }),
        ...fields,
      }),
    });

  const client: RawOAuthClient = {
    id,
    secret,
    address: ({ messagesUrl }) => {
      const address = new URL(`${issuer}/authorize`);
      address.search = new URLSearchParams({
        response_type: 'code',
        client_id: id,
        redirect_uri: REDIRECT_URI,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        resource: messagesUrl,
        scope: 'openid mcp.tools.read mcp.tools.execute',
      }).toString();
      return address;
    },
    code: async (browser, person, server) => {
      const callback = await authorize(browser, client.address(server), person);
      return callback.searchParams.get('code') ?? '';
    },
    redeem: (code) =>
      post({
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: verifier,
      }),
    refresh: (refreshToken) => post({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    tokens: async (browser, person, server) => {
      const redeemed = await client.redeem(await client.code(browser, person, server));
      if (!redeemed.ok) throw new Error(`redemption answered ${redeemed.status}`);
      return (await redeemed.json()) as RawTokens;
    },
  };
  return client;
};
