import type * as OAuth from 'oauth4webapi';
import type { ConnectedCredential } from '../../target/rules/credential.ts';
import type { GuardedFetch } from '../../target/client/guarded-fetch.ts';
import type { Trust } from '../../target/rules/target.ts';
import { errorCode, TokenUnavailable } from '../rules/token-failure.ts';
import { clientSecretBasic } from '../../tokens/rules/client-secret-basic.ts';
import { type GivenToken, SENDABLE_TOKEN, type TokenSource } from '../rules/token-source.ts';
import type { Clock } from '../../platform/system/clock.ts';
import { isObject, member } from '../../platform/rules/json/json.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import { keyAlgorithm } from '../../credentials/rules/private-jwk.ts';
import { type TokenEndpoints, unanswered } from './token-endpoints.ts';

type OAuthClient = ConnectedCredential<'oauth_client'>;

/** Milliseconds: a second request may take eight seconds as well, and the lease ends after ten. */
const TRIED_WITHIN_MS = 2000;

/**
 * Access tokens by the client credentials grant. Without `clientAuth`, the secret is sent in `Authorization`, then in
 * the body if the endpoint refuses that: at most two requests, both to the same endpoint. What worked is remembered.
 * Source: OAuth 2.1 §4.2; RFC 6749 §2.3.1; RFC 7523 §2.2; RFC 8707.
 */
export const oauthClientTokens = ({
  clock,
  fetch,
  endpoints,
}: {
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly fetch: GuardedFetch;
  readonly endpoints: TokenEndpoints;
}): TokenSource<'oauth_client'> => ({
  ask: async (credential, { worked }, _place, trust) => {
    const endpoint = await endpointOf(credential, endpoints, trust);
    const oauth = await import('oauth4webapi');
    const asked = { oauth, credential, endpoint, fetch, trust };
    if (credential.clientAuth !== undefined) return request(asked, credential.clientAuth);
    const first = worked ?? 'basic';
    const other = first === 'basic' ? 'post' : 'basic';
    const startedMs = clock.elapsedMs();
    try {
      return { ...(await request(asked, first)), works: first };
    } catch (error) {
      const isSoon = clock.elapsedMs() - startedMs < TRIED_WITHIN_MS;
      if (!isSoon || !mayTakeAnother(error)) throw error;
      return await request(asked, other).then(
        (given) => ({ ...given, works: other }),
        (again: unknown) => {
          throw moreTelling(error, again);
        },
      );
    }
  },
});

interface Asked {
  readonly oauth: typeof OAuth;
  readonly credential: OAuthClient;
  readonly endpoint: string;
  readonly fetch: GuardedFetch;
  readonly trust: Trust;
}

const request = async (
  { oauth, credential, endpoint, fetch, trust }: Asked,
  by: NonNullable<OAuthClient['clientAuth']>,
): Promise<GivenToken> => {
  const server = { issuer: credential.issuer ?? endpoint, token_endpoint: endpoint };
  const client = { client_id: credential.clientId };
  const response = await oauth
    .clientCredentialsGrantRequest(
      server,
      client,
      await authentication(oauth, credential, by),
      parametersOf(credential),
      // Plain HTTP is left to the guard, which allows it for addresses of a local run alone.
      {
        headers: { 'user-agent': 'hosted-mcp' },
        [oauth.customFetch]: (url, options) => fetch(url, { ...options, ...trust }),
        [oauth.allowInsecureRequests]: true,
      },
    )
    .catch((error: unknown) => {
      throw unanswered(error);
    });
  if (response.status >= 400) throw await refused(response, credential);
  const answer = await oauth
    .processClientCredentialsResponse(server, client, response)
    .catch((error: unknown) => {
      const { code } = error as { readonly code?: string };
      const isUnusable =
        error instanceof oauth.OperationProcessingError ||
        error instanceof oauth.UnsupportedOperationError;
      throw isUnusable
        ? unusable(`no token in the answer (${code ?? 'unknown'})`)
        : unanswered(error);
    });
  if (answer.token_type !== 'bearer') throw unusable('not a bearer token');
  if (!SENDABLE_TOKEN.test(answer.access_token)) throw unusable('the token cannot be sent');
  return {
    sent: { type: 'bearer', token: answer.access_token },
    lifeSeconds: answer.expires_in,
    scopes: scopesIn(answer.scope),
  };
};

/** Scopes come from a stranger and are shown to the owner, so their form and number are limited. */
const scopesIn = (scope: string | undefined): readonly string[] | undefined =>
  scope
    ?.split(' ')
    .filter((one) => /^[\x21-\x7e]{1,256}$/.test(one))
    .slice(0, 50);

const unusable = (why: string) => new TokenUnavailable('token_endpoint_failed', why);

/** Even if the metadata name another endpoint by now, the secret goes only to the origin it was set for. */
const endpointOf = async (
  { issuer, tokenUrl, tokenOrigin }: OAuthClient,
  endpoints: TokenEndpoints,
  trust: Trust,
): Promise<string> => {
  const endpoint =
    tokenUrl ?? (issuer === undefined ? undefined : await endpoints.of(issuer, trust));
  const origin = endpoint === undefined ? undefined : URL.parse(endpoint)?.origin;
  if (endpoint === undefined || origin === undefined || origin !== tokenOrigin) {
    throw new TokenUnavailable(
      'token_endpoint_refused',
      'the token endpoint is not where it was when the credential was set',
    );
  }
  return endpoint;
};

const parametersOf = ({ extra, scopes, audience, resource }: OAuthClient): URLSearchParams =>
  new URLSearchParams({
    ...extra,
    ...(scopes && scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(audience !== undefined && { audience }),
    ...(resource !== undefined && { resource }),
  });

const authentication = async (
  oauth: typeof OAuth,
  { clientSecret = '', privateJwk = {} }: OAuthClient,
  by: NonNullable<OAuthClient['clientAuth']>,
): Promise<OAuth.ClientAuth> => {
  switch (by) {
    case 'private_key_jwt': {
      const { importJWK } = await import('jose');
      // Errors of the library quote parts of the key.
      const key = await importJWK(privateJwk, keyAlgorithm(privateJwk)).catch(() => undefined);
      if (!(key instanceof CryptoKey)) throw new TokenUnavailable('missing', 'no private key');
      const kid = privateJwk['kid'];
      return oauth.PrivateKeyJwt(typeof kid === 'string' ? { key, kid } : key);
    }
    case 'post':
      return oauth.ClientSecretPost(clientSecret);
    case 'basic':
      // The library's own Basic escapes hyphens, and servers that compare without decoding then refuse the client.
      return (_server, client, _body, headers) =>
        headers.set('authorization', clientSecretBasic(client.client_id, clientSecret));
  }
};

/** Failure with the code and message of a token endpoint, secrets masked. Source: RFC 6749 §5.2; RFC 6750 §3. */
const refused = async (response: Response, credential: OAuthClient): Promise<TokenUnavailable> => {
  const { status } = response;
  const body = await response.text().catch(() => '');
  const json = jsonOrUndefined(body);
  const code = isObject(json) ? errorCode(member(json, 'error')) : undefined;
  const { refusalMessage } = await import('../rules/refusal-message.ts');
  const words = isObject(json) ? refusalMessage(body, secretsOf(credential)) : undefined;
  const said = words === code ? undefined : words;
  const isRefusal = status < 500 && status !== 429 && (code !== undefined || status === 401);
  return isRefusal
    ? new TokenUnavailable('token_refused', `the client was refused (${status})`, code, said)
    : new TokenUnavailable('token_endpoint_failed', `status ${status}`, undefined, said);
};

const secretsOf = ({ clientId, clientSecret = '' }: OAuthClient): readonly string[] =>
  [clientSecret, clientSecretBasic(clientId, clientSecret).slice('Basic '.length)].filter(
    (text) => text !== '',
  );

/** After a refused scope or grant, the other place for the secret cannot help: the client was authenticated. */
const mayTakeAnother = (error: unknown): error is TokenUnavailable =>
  error instanceof TokenUnavailable &&
  error.reason === 'token_refused' &&
  [undefined, 'invalid_client', 'invalid_request'].includes(error.code);

/** The second of two refusals, unless the first is `invalid_client` and the second may be about the client as well. */
const moreTelling = (first: TokenUnavailable, second: unknown): unknown =>
  mayTakeAnother(second) && first.code === 'invalid_client' ? first : second;
