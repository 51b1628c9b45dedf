import type * as OAuth from 'oauth4webapi';
import type { ConnectedCredential } from '../../target/rules/credential.ts';
import type { GuardedFetch } from '../../target/client/guarded-fetch.ts';
import type { Trust } from '../../target/rules/target.ts';
import { errorCode, TokenUnavailable } from '../rules/token-failure.ts';
import type { TokenSource } from '../rules/token-source.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import { keyAlgorithm } from '../../credentials/rules/private-jwk.ts';
import { type TokenEndpoints, unanswered } from './token-endpoints.ts';

type OAuthClient = ConnectedCredential<'oauth_client'>;

/**
 * Access tokens by the client credentials grant.
 *
 * Source: OAuth 2.1 §4.2; RFC 6749 §2.3.1; RFC 7523 §2.2; RFC 8707.
 */
export const oauthClientTokens = ({
  fetch,
  endpoints,
}: {
  readonly fetch: GuardedFetch;
  readonly endpoints: TokenEndpoints;
}): TokenSource<'oauth_client'> => ({
  ask: async (credential, _use, _place, trust) => {
    const endpoint = await endpointOf(credential, endpoints, trust);
    const oauth = await import('oauth4webapi');
    const server = { issuer: credential.issuer ?? endpoint, token_endpoint: endpoint };
    const client = { client_id: credential.clientId };
    const ended = (error: unknown): Promise<never> => failed(oauth, error);
    const response = await oauth
      .clientCredentialsGrantRequest(
        server,
        client,
        await authentication(oauth, credential),
        parametersOf(credential),
        // The guard says which addresses may be asked without TLS: none but those of a local run.
        {
          headers: { 'user-agent': 'hosted-mcp' },
          [oauth.customFetch]: (url, options) => fetch(url, { ...options, ...trust }),
          [oauth.allowInsecureRequests]: true,
        },
      )
      .catch(ended);
    if (response.status === 429) throw new TokenUnavailable('token_endpoint_failed', 'status 429');
    const answer = await oauth
      .processClientCredentialsResponse(server, client, response)
      .catch(ended);
    if (answer.token_type !== 'bearer') throw unusable('not a bearer token');
    if (!BEARER.test(answer.access_token)) throw unusable('the token cannot be sent');
    return {
      sent: { type: 'bearer', token: answer.access_token },
      lifeSeconds: answer.expires_in,
      scopes: scopesIn(answer.scope),
    };
  },
});

/** What a header can hold in one piece, and servers take in one. */
const BEARER = /^[\x21-\x7e]{1,8192}$/;

/** Texts of a stranger, which are shown to the owner. */
const scopesIn = (scope: string | undefined): readonly string[] | undefined =>
  scope
    ?.split(' ')
    .filter((one) => /^[\x21-\x7e]{1,256}$/.test(one))
    .slice(0, 50);

const unusable = (why: string) => new TokenUnavailable('token_endpoint_failed', why);

/** Wherever the metadata lead by now, a secret goes to the origin that it was set for. */
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
  { clientAuth, clientSecret = '', privateJwk = {} }: OAuthClient,
): Promise<OAuth.ClientAuth> => {
  switch (clientAuth) {
    case 'private_key_jwt': {
      const { importJWK } = await import('jose');
      // What is wrong with a key, the library says with parts of it.
      const key = await importJWK(privateJwk, keyAlgorithm(privateJwk)).catch(() => undefined);
      if (!(key instanceof CryptoKey)) throw new TokenUnavailable('missing', 'no private key');
      const kid = privateJwk['kid'];
      return oauth.PrivateKeyJwt(typeof kid === 'string' ? { key, kid } : key);
    }
    case 'post':
      return oauth.ClientSecretPost(clientSecret);
    default:
      return oauth.ClientSecretBasic(clientSecret);
  }
};

/** By the code of the error alone: descriptions are texts of strangers, and some repeat what they were sent. */
const failed = async (oauth: typeof OAuth, error: unknown): Promise<never> => {
  if (error instanceof oauth.ResponseBodyError) throw clientRefused(error.error);
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const body = await error.response.text().then(jsonOrUndefined, () => undefined);
    throw clientRefused((body as { readonly error?: unknown } | undefined)?.error);
  }
  if (
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError
  ) {
    throw unusable(`no token in the answer (${error.code ?? 'unknown'})`);
  }
  throw unanswered(error);
};

const clientRefused = (code: unknown) =>
  new TokenUnavailable('token_refused', 'the client was refused', errorCode(code));
