import { InvalidToken } from '../../tokens/rules/authorization.ts';
import { clientSecretBasic } from '../../tokens/rules/client-secret-basic.ts';
import type { Jwt } from '../../tokens/rules/jwt.ts';
import { DeadlineExceeded, Fault } from '../../platform/rules/fault.ts';
import { isObject, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import { NoAnswer } from '../../target/rules/target.ts';
import type { IdentityPorts } from '../ports.ts';
import { ID_TOKEN_ALGORITHMS, readIdToken } from '../rules/id-token.ts';
import type { IdentityProvider } from '../rules/providers.ts';
import { SignInFailed } from '../rules/redeemed.ts';
import { signsIn, type SignInProvider } from '../rules/sign-in.ts';

type TokenEndpointPorts = Pick<
  IdentityPorts,
  | 'clock'
  | 'identityProviders'
  | 'issuerKeys'
  | 'jwtSignatures'
  | 'providerFetch'
  | 'providerSecrets'
>;

export type Provider = SignInProvider<IdentityProvider>;

/** @throws SignInFailed misconfigured */
export const providerOf = async (
  { identityProviders }: Pick<TokenEndpointPorts, 'identityProviders'>,
  id: string,
): Promise<Provider> => {
  const provider = (await identityProviders.list()).find((one) => one.id === id);
  if (provider && signsIn(provider)) return provider;
  throw new SignInFailed('misconfigured', 'nobody signs in with this provider any more');
};

/** Tells errors about the person or code from errors about our client. */
export type IsRefusal = (codes: readonly string[]) => boolean;

/**
 * Answer of the token endpoint in the applied list to a grant by our client.
 * @param parameters - parameters of the grant
 * @throws SignInFailed @throws InvalidToken for what is no JSON object @throws Fault where a store fails
 */
export const tokenAnswer = async (
  ports: TokenEndpointPorts,
  provider: Provider,
  parameters: Readonly<Record<string, string>>,
  isRefusal: IsRefusal,
): Promise<JsonObject> => {
  const secret = await secretOf(ports, provider);
  const response = await fetched(ports, ...tokenRequest(provider, secret, parameters));
  if (response.status !== 200) throw failureOf(response, isRefusal);
  if (response.json) return response.json;
  throw new InvalidToken('the token endpoint answers no JSON object');
};

/** Request with the provider's client authentication method. Source: RFC 6749 §2.3.1; OpenID Connect Core 1.0 §9. */
export const tokenRequest = (
  { endpoints, sign_in: { client_auth: how, client_id: id } }: Provider,
  secret: string,
  parameters: Readonly<Record<string, string>>,
): Parameters<TokenEndpointPorts['providerFetch']> => [
  endpoints.token_endpoint,
  {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(how === 'basic' && { authorization: clientSecretBasic(id, secret) }),
    },
    body: new URLSearchParams({
      ...parameters,
      ...(how !== 'basic' && { client_id: id }),
      ...(how === 'post' && { client_secret: secret }),
    }),
  },
];

/** Client secret; empty for a public client. @throws SignInFailed misconfigured */
const secretOf = async (
  { providerSecrets }: Pick<TokenEndpointPorts, 'providerSecrets'>,
  provider: Provider,
): Promise<string> => {
  if (provider.sign_in.client_auth === 'none') return '';
  const secret = await providerSecrets.find(placeOf(provider));
  if (secret !== undefined) return secret;
  throw new SignInFailed('misconfigured', 'no secret is stored for this client and token endpoint');
};

/** Client and origin of the token endpoint that a stored secret is bound to. */
export const placeOf = ({ id, issuer, sign_in: signIn, endpoints }: Provider) => ({
  provider: id,
  issuer,
  clientId: signIn.client_id,
  tokenOrigin: new URL(endpoints.token_endpoint).origin,
});

interface Answer {
  readonly status: number;
  readonly json: JsonObject | undefined;
}

/** Redirects are not followed, so that code and secret cannot leak to their target. @throws SignInFailed */
const fetched = async (
  { providerFetch }: Pick<TokenEndpointPorts, 'providerFetch'>,
  ...asked: Parameters<TokenEndpointPorts['providerFetch']>
): Promise<Answer> => {
  try {
    const response = await providerFetch(...asked);
    const json = jsonOrUndefined(await response.text());
    return { status: response.status, json: isObject(json) ? json : undefined };
  } catch (error) {
    if (error instanceof NoAnswer) {
      const reason = error.reason === 'blocked_address' ? 'misconfigured' : 'unavailable';
      throw new SignInFailed(reason, `no answer (${error.reason})`);
    }
    if (error instanceof DeadlineExceeded) throw new SignInFailed('unavailable', error.message);
    throw error;
  }
};

/** OAuth error codes for temporary failures, which some providers send with another status than 5xx. */
const IN_TROUBLE: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error']);

const failureOf = ({ status, json }: Answer, isRefusal: IsRefusal): SignInFailed => {
  const codes = [codeIn(json, 'error'), codeIn(json, 'suberror')].flatMap((one) => one ?? []);
  const why = `the token endpoint answers ${status} (${codes.join(', ') || 'no code'})`;
  if (status >= 500 || status === 429 || codes.some((one) => IN_TROUBLE.has(one))) {
    return new SignInFailed('unavailable', why);
  }
  return new SignInFailed(isRefusal(codes) ? 'refused' : 'misconfigured', why);
};

/** `suberror` is an extension of Entra that says what is required of the person. */
export const codeIn = (
  json: JsonObject | undefined,
  name: 'error' | 'suberror',
): string | undefined => {
  const sent = json && member(json, name);
  return typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent) ? sent : undefined;
};

/**
 * Claims of an ID token after all checks, signature included.
 * @param nonce - of the sign-in; undefined for a token from a refresh
 * @throws InvalidToken @throws SignInFailed unavailable
 */
export const verifiedClaims = async (
  ports: TokenEndpointPorts,
  provider: Provider,
  text: string,
  nonce: string | undefined,
): Promise<Jwt['claims']> => {
  const { issuer, sign_in: signIn, jwks_uri: keysAt } = provider;
  const terms = { issuer, clientId: signIn.client_id, nonce, now: ports.clock.now() };
  const { claims, keyId } = readIdToken(text, terms);
  const keys = await ports.issuerKeys.find(keysAt, keyId).catch(unavailable);
  await ports.jwtSignatures.check(text, keys, ID_TOKEN_ALGORITHMS);
  return claims;
};

const unavailable = (error: unknown): never => {
  throw error instanceof Fault ? new SignInFailed('unavailable', error.message) : error;
};

const SENDABLE = /^[\x21-\x7e]+$/;
const MAX_TOKEN = 16_384;

/**
 * Answer of the UserInfo endpoint for an access token.
 * @returns undefined where the provider has no such endpoint or the token cannot be sent
 * @throws SignInFailed unavailable
 * Source: OpenID Connect Core 1.0 §5.3.
 */
export const userInfo = async (
  ports: TokenEndpointPorts,
  { endpoints: { userinfo_endpoint: url } }: Provider,
  answer: JsonObject,
): Promise<Answer | undefined> => {
  const token = member(answer, 'access_token');
  if (url === undefined || typeof token !== 'string') return undefined;
  if (token.length > MAX_TOKEN || !SENDABLE.test(token)) return undefined;
  const asked = await fetched(ports, url, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  });
  if (asked.status < 500 && asked.status !== 429) return asked;
  throw new SignInFailed('unavailable', `userinfo answers ${asked.status}`);
};
