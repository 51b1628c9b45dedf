import { randomUUID } from 'node:crypto';
import { type CryptoKey, type JWK, SignJWT } from 'jose';
import { ASSERTION_TYPE } from './client-assertions.ts';
import { fetchFrom } from '../target/other-address.ts';
import { anHttpServer, type TargetServer } from '../target/target-server.ts';

/** A client that publishes its metadata and keys over HTTP, and signs with one of them. */
export interface PublishingClient extends AsyncDisposable {
  readonly id: string;
  /** Paths of what was fetched from it, in order. */
  fetched(): readonly (string | undefined)[];
  /** Asks an endpoint for what it does not have, with an assertion that is used nowhere yet. */
  send(endpoint: 'token' | 'revoke', wanted?: Asked): Promise<Response>;
}

interface Asked {
  /** Of loopback. */
  readonly from?: string;
  readonly claims?: object;
  readonly header?: object;
}

interface Published {
  readonly issuer: string;
  readonly keys: readonly JWK[];
  /** Whether the metadata holds the keys, in place of where they are. */
  readonly inline?: boolean;
  readonly sign: CryptoKey;
  readonly alg: string;
}

const FIELDS = {
  token: { grant_type: 'refresh_token', refresh_token: 'mcp_refresh_x' },
  revoke: { token: 'mcp_refresh_x' },
} as const;

export const aPublishingClient = async (published: Published): Promise<PublishingClient> => {
  const { issuer, keys, inline = false, sign, alg } = published;
  const site: TargetServer = await anHttpServer(({ url }, response) => {
    const document = {
      client_id: `${site.url}/client.json`,
      redirect_uris: ['https://app.example/cb'],
      token_endpoint_auth_method: 'private_key_jwt',
      ...(inline ? { jwks: { keys } } : { jwks_uri: `${site.url}/keys` }),
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(url === '/keys' ? { keys } : document));
  });
  const id = `${site.url}/client.json`;
  return {
    id,
    fetched: () => site.requests.map(({ url }) => url),
    send: async (endpoint, { from = '127.0.0.1', claims = {}, header = {} } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const said = { iss: id, sub: id, aud: issuer, exp: now + 60, jti: randomUUID(), ...claims };
      const assertion = await new SignJWT(said).setProtectedHeader({ alg, ...header }).sign(sign);
      return fetchFrom(from, `${issuer}/${endpoint}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          ...FIELDS[endpoint],
          client_assertion_type: ASSERTION_TYPE,
          client_assertion: assertion,
        }).toString(),
      });
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
};
