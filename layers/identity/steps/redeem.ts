import { clientSecretBasic } from '../../tokens/rules/client-secret-basic.ts';
import { InvalidToken } from '../../tokens/rules/authorization.ts';
import { textClaim } from '../../tokens/rules/jwt.ts';
import type { PlatformSettings } from '../../platform/ports.ts';
import { DeadlineExceeded, Fault } from '../../platform/rules/fault.ts';
import { isObject, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { jsonOrUndefined } from '../../platform/rules/json/parsed-json.ts';
import { NoAnswer } from '../../target/rules/target.ts';
import type { IdentityPorts } from '../ports.ts';
import { authTimeOf, ID_TOKEN_ALGORITHMS, readIdToken } from '../rules/id-token.ts';
import { subjectOf } from '../rules/linking.ts';
import type { IdentityProvider } from '../rules/providers.ts';
import { type Redeemed, type RedeemRequest, SignInFailed } from '../rules/redeemed.ts';
import { callbackOf, signsIn, type SignInProvider } from '../rules/sign-in.ts';
import { vouchedEmail } from '../rules/vouched-email.ts';

export type RedeemPorts = Pick<
  IdentityPorts,
  | 'clock'
  | 'identityProviders'
  | 'issuerKeys'
  | 'jwtSignatures'
  | 'providerFetch'
  | 'providerSecrets'
> & { readonly settings: Pick<PlatformSettings, 'baseUrl'> };

type Provider = SignInProvider<IdentityProvider>;

/**
 * Buys what a provider says of somebody whom it has sent back, with the code that came along. The code is sent to the
 * token endpoint alone that stands in the list of providers, with our secret there and the verifier of this sign-in.
 *
 * @throws SignInFailed @throws Fault where a store fails
 *
 * Source: OpenID Connect Core 1.0 §3.1.3; RFC 7636 §4.5.
 */
export const redeem = async (ports: RedeemPorts, request: RedeemRequest): Promise<Redeemed> => {
  const provider = await providerOf(ports, request.provider);
  const answer = await tokenAnswer(ports, provider, request);
  return refusing(async () => {
    const text = member(answer, 'id_token');
    if (typeof text !== 'string') throw new InvalidToken('no ID token in the answer');
    const now = ports.clock.now();
    const { issuer, sign_in: signIn, subject_claim: claim } = provider;
    const terms = { issuer, clientId: signIn.client_id, nonce: request.nonce, now };
    const { claims, keyId } = readIdToken(text, terms);
    const keys = await ports.issuerKeys.find(provider.jwks_uri, keyId).catch(unavailable);
    await ports.jwtSignatures.check(text, keys, ID_TOKEN_ALGORITHMS);

    const value = textClaim(claims, claim);
    if (value.length > MAX_SUBJECT) throw new InvalidToken(`no usable ${claim}`);
    const authTime = authTimeOf(claims, now);
    return {
      ok: true,
      subject: subjectOf({ issuer, tenant: undefined, claim }, value),
      vouched: vouchedEmail(await withUserInfo(ports, provider, claims, answer), provider),
      ...(authTime !== undefined && { auth_time: authTime }),
    };
  });
};

/** Characters, as of assertions. */
const MAX_SUBJECT = 256;

/** @throws SignInFailed misconfigured */
const providerOf = async (
  { identityProviders }: Pick<RedeemPorts, 'identityProviders'>,
  id: string,
): Promise<Provider> => {
  const provider = (await identityProviders.list()).find((one) => one.id === id);
  if (provider && signsIn(provider)) return provider;
  throw new SignInFailed('misconfigured', 'nobody signs in with this provider any more');
};

const tokenAnswer = async (
  ports: RedeemPorts,
  provider: Provider,
  { code, verifier }: RedeemRequest,
): Promise<JsonObject> => {
  const { endpoints, id, sign_in: signIn } = provider;
  const secret = await secretOf(ports, provider);
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: callbackOf(ports.settings.baseUrl, id),
    code_verifier: verifier,
    ...(signIn.client_auth !== 'basic' && { client_id: signIn.client_id }),
    ...(signIn.client_auth === 'post' && { client_secret: secret }),
  });
  const response = await fetched(ports, endpoints.token_endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(signIn.client_auth === 'basic' && {
        authorization: clientSecretBasic(signIn.client_id, secret),
      }),
    },
    body,
  });
  if (response.status !== 200) throw failureOf(response.status, response.json);
  if (response.json) return response.json;
  throw new SignInFailed('refused', 'the token endpoint answers no JSON object');
};

/** What our client shows. @throws SignInFailed misconfigured */
const secretOf = async (
  { providerSecrets }: Pick<RedeemPorts, 'providerSecrets'>,
  provider: Provider,
): Promise<string> => {
  if (provider.sign_in.client_auth === 'none') return '';
  const secret = await providerSecrets.find(placeOf(provider));
  if (secret !== undefined) return secret;
  throw new SignInFailed('misconfigured', 'no secret is stored for this client and token endpoint');
};

/** Whose the secret of a provider is, and where it may go. */
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

/** Never a redirect: where it leads, neither code nor secret goes. @throws SignInFailed */
const fetched = async (
  { providerFetch }: Pick<RedeemPorts, 'providerFetch'>,
  ...asked: Parameters<RedeemPorts['providerFetch']>
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

/** Of a code that is not good any more; anything else says that our client is not what the provider takes. */
const OF_THE_CODE: ReadonlySet<unknown> = new Set(['invalid_grant']);

const failureOf = (status: number, json: JsonObject | undefined): SignInFailed => {
  const sent = json && member(json, 'error');
  const code = typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent) ? sent : 'no code';
  const why = `the token endpoint answers ${status} (${code})`;
  if (status >= 500 || status === 429) return new SignInFailed('unavailable', why);
  return new SignInFailed(OF_THE_CODE.has(code) ? 'refused' : 'misconfigured', why);
};

type Claims = Readonly<Record<string, unknown>>;

/** What says whose an address is; where the ID token names none, the provider is asked, and its answer has to be of the same person. */
const ABOUT_ADDRESSES = ['email', 'email_verified', 'xms_edov', 'hd'] as const;

/** What a header can hold in one piece. */
const SENDABLE = /^[\x21-\x7e]+$/;
const MAX_TOKEN = 16_384;

/** Source: OpenID Connect Core 1.0 §5.3.2, §5.4. */
const withUserInfo = async (
  ports: RedeemPorts,
  { email_rule: rule, endpoints: { userinfo_endpoint: url } }: Provider,
  claims: Claims,
  answer: JsonObject,
): Promise<Claims> => {
  const token = member(answer, 'access_token');
  if (claims['email'] !== undefined || rule === 'never' || url === undefined) return claims;
  if (typeof token !== 'string' || token.length > MAX_TOKEN || !SENDABLE.test(token)) return claims;
  const { status, json } = await fetched(ports, url, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  });
  if (status >= 500) throw new SignInFailed('unavailable', `userinfo answers ${status}`);
  if (status !== 200 || !json) return claims;
  if (member(json, 'sub') !== claims['sub']) throw new InvalidToken('userinfo is of somebody else');
  return Object.fromEntries(ABOUT_ADDRESSES.map((name) => [name, member(json, name)]));
};

const unavailable = (error: unknown): never => {
  throw error instanceof Fault ? new SignInFailed('unavailable', error.message) : error;
};

/** @throws SignInFailed refused */
const refusing = async <Found>(act: () => Promise<Found>): Promise<Found> => {
  try {
    return await act();
  } catch (error) {
    throw error instanceof InvalidToken ? new SignInFailed('refused', error.why) : error;
  }
};
