import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { IdentityProvider } from '../../../layers/identity/rules/providers.ts';
import { anHttpServer } from '../target/target-server.ts';

type Claims = Readonly<Record<string, unknown>>;

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

export interface TestIdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  /** As an operator writes it. */
  readonly config: IdentityProvider;
  /** How often its keys were asked for. */
  asked(): number;
  /** From now on its key set cannot be had. */
  fail(down: boolean): void;
  /** An assertion that is good for five minutes and used nowhere yet, with what is said of it besides. */
  sign(claims: Claims, header?: object): Promise<string>;
  /** The same, signed with a key that its key set does not have. */
  forge(claims: Claims): Promise<string>;
}

/** One whose assertions are taken, as it is applied. */
export const anIdentityProviderOf = (over: Partial<IdentityProvider> = {}): IdentityProvider => ({
  id: 'acme',
  name: 'Acme',
  issuer: 'https://idp.acme.example',
  jwks_uri: 'https://idp.acme.example/keys',
  subject_claim: 'sub',
  email_domains: ['acme.example'],
  email_rule: 'verified',
  create_accounts: false,
  deployments: 'all',
  assertions: { public_clients: false },
  ...over,
});

/** One that people sign in with, as it is applied. */
export const ACME_SIGN_IN: IdentityProvider = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://idp.acme.example',
  jwks_uri: 'https://idp.acme.example/keys',
  subject_claim: 'sub',
  email_domains: ['acme.example'],
  email_rule: 'verified',
  create_accounts: true,
  deployments: 'all',
  sign_in: { client_id: 'mcp', client_auth: 'basic', scopes: ['openid'] },
  endpoints: {
    authorization_endpoint: 'https://idp.acme.example/authorize',
    token_endpoint: 'https://idp.acme.example/token',
    authorization_response_iss_parameter_supported: false,
  },
};

/** A company's provider of identities, with keys of its own on loopback. @param now - epoch seconds */
export const anIdentityProvider = async (
  now: () => number,
  issuer = 'https://idp.acme.example',
): Promise<TestIdentityProvider> => {
  const [own, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'idp-1', alg: 'ES256', use: 'sig' };
  let down = false;
  const server = await anHttpServer((_, response) =>
    down
      ? response.writeHead(503).end()
      : response
          .writeHead(200, { 'content-type': 'application/jwk-set+json' })
          .end(JSON.stringify({ keys: [jwk] })),
  );
  const signed = (key: Key, claims: Claims, header: object = {}): Promise<string> =>
    new SignJWT({
      iss: issuer,
      sub: 'U1',
      iat: now(),
      exp: now() + 300,
      jti: randomUUID(),
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'idp-1', typ: 'oauth-id-jag+jwt', ...header })
      .sign(key);
  return {
    issuer,
    config: anIdentityProviderOf({ issuer, jwks_uri: `${server.url}/keys` }),
    asked: () => server.requests.length,
    fail: (isDown) => {
      down = isDown;
    },
    sign: (claims, header) => signed(own.privateKey, claims, header),
    forge: (claims) => signed(other.privateKey, claims),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
