import { InvalidToken } from '../../tokens/rules/authorization.ts';
import { type Jwt, textClaim } from '../../tokens/rules/jwt.ts';
import type { PlatformSettings, PortsOf } from '../../platform/ports.ts';
import { type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { IdentityPorts } from '../ports.ts';
import { authTimeOf } from '../rules/id-token.ts';
import { subjectOf } from '../rules/linking.ts';
import { type Redeemed, type RedeemRequest, SignInFailed } from '../rules/redeemed.ts';
import { callbackOf } from '../rules/sign-in.ts';
import { vouchedEmail } from '../rules/vouched-email.ts';
import { keepRefreshToken } from './recheck.ts';
import {
  type IsRefusal,
  type Provider,
  providerOf,
  tokenAnswer,
  userInfo,
  verifiedClaims,
} from './token-endpoint.ts';

type RedeemPorts = PortsOf<typeof tokenAnswer | typeof keepRefreshToken> &
  Pick<IdentityPorts, 'clock'> & { readonly settings: Pick<PlatformSettings, 'baseUrl'> };

/**
 * Exchanges an authorization code for the ID token of the person who signed in. The code, our client secret and the
 * PKCE verifier are sent only to the token endpoint in the applied list. A refresh token in the answer is stored, to
 * ask the provider about the person later.
 * @throws SignInFailed @throws Fault where a store fails
 * Source: OpenID Connect Core 1.0 §3.1.3; RFC 7636 §4.5.
 */
export const redeem = async (ports: RedeemPorts, request: RedeemRequest): Promise<Redeemed> => {
  const provider = await providerOf(ports, request.provider);
  const bought = {
    grant_type: 'authorization_code',
    code: request.code,
    redirect_uri: callbackOf(ports.settings.baseUrl, provider.id),
    code_verifier: request.verifier,
  };
  return refusing(async () => {
    const answer = await tokenAnswer(ports, provider, bought, isOfTheCode);
    const text = member(answer, 'id_token');
    if (typeof text !== 'string') throw new InvalidToken('no ID token in the answer');
    const claims = await verifiedClaims(ports, provider, text, request.nonce);
    const claim = provider.subject_claim;
    const value = textClaim(claims, claim);
    if (value.length > MAX_SUBJECT) throw new InvalidToken(`no usable ${claim}`);
    const subject = subjectOf({ issuer: provider.issuer, tenant: undefined, claim }, value);
    const vouched = vouchedEmail(await withUserInfo(ports, provider, claims, answer), provider);
    const authTime = authTimeOf(claims, ports.clock.now());
    const person = { subject: subject.subject, sub: textClaim(claims, 'sub') };
    const checkable = await keepRefreshToken(ports, provider, person, answer);
    return {
      ok: true,
      subject,
      vouched,
      ...(authTime !== undefined && { auth_time: authTime }),
      ...(checkable && { checkable }),
    };
  });
};

/** Characters, as for assertions. */
const MAX_SUBJECT = 256;

/** The code is no longer valid; all other errors mean that our client is misconfigured. */
const isOfTheCode: IsRefusal = (codes) => codes.includes('invalid_grant');

/** Claims about the address: taken from UserInfo, for the same subject, if the ID token contains no `email`. */
const ABOUT_ADDRESSES = ['email', 'email_verified', 'xms_edov', 'hd'] as const;

/** Source: OpenID Connect Core 1.0 §5.3.2, §5.4. */
const withUserInfo = async (
  ports: RedeemPorts,
  provider: Provider,
  claims: Jwt['claims'],
  answer: JsonObject,
): Promise<Jwt['claims']> => {
  if (claims['email'] !== undefined || provider.email_rule === 'never') return claims;
  const asked = await userInfo(ports, provider, answer);
  if (asked?.status !== 200 || !asked.json) return claims;
  const { json } = asked;
  if (member(json, 'sub') !== claims['sub']) throw new InvalidToken('userinfo is of somebody else');
  return Object.fromEntries(ABOUT_ADDRESSES.map((name) => [name, member(json, name)]));
};

/** @throws SignInFailed refused */
const refusing = async <Found>(act: () => Promise<Found>): Promise<Found> => {
  try {
    return await act();
  } catch (error) {
    throw error instanceof InvalidToken ? new SignInFailed('refused', error.why) : error;
  }
};
