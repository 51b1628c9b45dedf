import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { IdentityProvider } from '../../../layers/identity/rules/providers.ts';
import { anHttpServer, type Answer } from '../target/target-server.ts';
import { anIdentityProviderOf } from './identity-provider.ts';

type Claims = Readonly<Record<string, unknown>>;

export const CLIENT_ID = 'mcp at acme';
export const CLIENT_SECRET = 'CANARY-provider-secret-0123456789';

/** What a provider says of who has signed in; each may lie. */
export interface Saying {
  /** In place of what is right, or beside it. */
  readonly claims?: Claims;
  readonly header?: Readonly<Record<string, unknown>>;
  /** `none`: unsigned; `hs256`: by a MAC with its public key, which everybody knows; `other`: by a key of nobody. */
  readonly signed?: 'hs256' | 'none' | 'other';
  /** In place of the whole answer of the token endpoint. */
  readonly answer?: Answer;
  readonly userInfo?: Claims;
  /** It gives no refresh token. */
  readonly withoutRefresh?: true;
}

/** What a provider says of somebody when it is asked without them. */
export interface Refreshing extends Pick<Saying, 'answer' | 'claims' | 'signed' | 'userInfo'> {
  readonly withoutIdToken?: true;
  readonly withoutRotation?: true;
}

export interface SignInProvider extends AsyncDisposable {
  readonly config: IdentityProvider;
  readonly url: string;
  /** Requests to its token endpoint. */
  readonly asked: () => readonly { readonly body: URLSearchParams; readonly auth: string }[];
  /** Signs somebody in who was sent to `location`, and says this of them. @returns the code */
  signIn(location: string, saying?: Saying): string;
  /** What a client shows in place of a sign-in: an ID-JAG, good for five minutes. */
  assertion(claims: Claims): Promise<string>;
  /** By subject, in place of the truth: each refresh token is good once, and another takes its place. */
  readonly refreshing: Map<string, Refreshing>;
  /** How often it was asked without a person. */
  readonly refreshes: () => number;
}

/** A provider on loopback that tells the truth unless it is told to lie. @param now - epoch seconds */
export const aSignInProvider = async (
  now: () => number,
  over: Partial<IdentityProvider> = {},
): Promise<SignInProvider> => {
  const [own, other] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256'),
  ]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
  const publicKey = new TextEncoder().encode(await exportSPKI(own.publicKey));
  const codes = new Map<
    string,
    { readonly nonce: string; readonly challenge: string; readonly saying: Saying }
  >();
  const refreshing = new Map<string, Refreshing>();
  const refreshTokens = new Map<string, string>();
  let made = 0;
  let refreshes = 0;
  const refreshTokenOf = (sub: string): string => {
    const token = `CANARY-refresh-token-${(made += 1)}`;
    refreshTokens.set(token, sub);
    return token;
  };
  const asked: { readonly body: URLSearchParams; readonly auth: string }[] = [];
  let saidLast: Saying = {};

  const idToken = async (
    url: string,
    nonce: string | undefined,
    saying: Saying,
  ): Promise<string> => {
    const claims = {
      iss: url,
      sub: 'U1',
      aud: CLIENT_ID,
      iat: now(),
      exp: now() + 300,
      nonce,
      ...saying.claims,
    };
    const header = { alg: 'RS256', kid: 'key-1', ...saying.header };
    if (saying.signed === 'none') {
      const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
    }
    if (saying.signed === 'hs256') {
      return new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(publicKey);
    }
    const key = saying.signed === 'other' ? other.privateKey : own.privateKey;
    return new SignJWT(claims).setProtectedHeader(header).sign(key);
  };

  const server = await anHttpServer(async (request, response) => {
    const json = (status: number, body: object) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    if (request.url === '/keys') return json(200, { keys: [jwk] });
    if (request.url === '/userinfo') return json(200, saidLast.userInfo ?? {});
    const body = new URLSearchParams(request.body);
    asked.push({ body, auth: request.headers.authorization ?? '' });
    if (body.get('grant_type') === 'refresh_token') {
      refreshes += 1;
      const shown = body.get('refresh_token') ?? '';
      const sub = refreshTokens.get(shown);
      if (sub === undefined) return json(400, { error: 'invalid_grant' });
      const said = refreshing.get(sub) ?? {};
      if (said.answer) return said.answer(request, response);
      if (!said.withoutRotation) refreshTokens.delete(shown);
      saidLast = said;
      return json(200, {
        access_token: 'CANARY-access-token',
        token_type: 'Bearer',
        ...(!said.withoutRotation && { refresh_token: refreshTokenOf(sub) }),
        ...(!said.withoutIdToken && {
          id_token: await idToken(server.url, undefined, {
            ...said,
            claims: { sub, ...said.claims },
          }),
        }),
      });
    }
    const known = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    if (!known) return json(400, { error: 'invalid_grant' });
    const { saying } = known;
    saidLast = saying;
    if (saying.answer) return saying.answer(request, response);
    const verifier = body.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (challenge !== known.challenge) return json(400, { error: 'invalid_grant' });
    json(200, {
      access_token: 'CANARY-access-token',
      token_type: 'Bearer',
      id_token: await idToken(server.url, known.nonce, saying),
      ...(!saying.withoutRefresh && {
        refresh_token: refreshTokenOf(String(saying.claims?.['sub'] ?? 'U1')),
      }),
    });
  });
  const { url } = server;
  return {
    url,
    config: {
      ...anIdentityProviderOf({ issuer: url, jwks_uri: `${url}/keys`, create_accounts: true }),
      sign_in: { client_id: CLIENT_ID, client_auth: 'basic', scopes: ['openid', 'email'] },
      endpoints: {
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        authorization_response_iss_parameter_supported: false,
      },
      ...over,
    },
    asked: () => asked,
    assertion: (claims) =>
      new SignJWT({ iss: url, iat: now(), exp: now() + 300, jti: randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'key-1', typ: 'oauth-id-jag+jwt' })
        .sign(own.privateKey),
    refreshing,
    refreshes: () => refreshes,
    signIn: (location, saying = {}) => {
      const sent = new URL(location).searchParams;
      const code = `CANARY-code-${codes.size}-${sent.get('state') ?? ''}`;
      codes.set(code, {
        nonce: sent.get('nonce') ?? '',
        challenge: sent.get('code_challenge') ?? '',
        saying,
      });
      return code;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
