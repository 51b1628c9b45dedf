import { authorizationServer, resourceNames } from '../../../platform/rules/addresses.ts';
import { AUTH_METHOD_TRAITS } from '../../../deployments/rules/auth-methods.ts';
import { isMinterSignedOut } from '../../../accounts/rules/signed-out.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { externalUsageSubject, ownerUsageSubject } from '../../../limits/rules/windows.ts';
import { isMintedEnded } from '../../../tokens/rules/not-before.ts';
import { EndedToken, InvalidToken } from '../../../tokens/rules/authorization.ts';
import { type Jwt, readExternal, readJwt } from '../../../tokens/rules/jwt.ts';
import { MINTED_ALGORITHM, readMinted } from '../../../tokens/rules/own-jwts.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { PlatformSettings } from '../../../platform/ports.ts';
import type { Accept, Accepted } from './accept.ts';

export type AcceptJwtPorts = Pick<
  AccountsPorts,
  | 'clock'
  | 'issuerKeys'
  | 'jwtSignatures'
  | 'mintingKeys'
  | 'mintedTokens'
  | 'notBefore'
  | 'signingKeys'
  | 'signOuts'
> & { readonly settings: PlatformSettings };

/**
 * Mode `jwt`: a token that the service minted for the deployment, or one of an issuer that its owner trusts. The
 * access policy is not asked: the owner chose the issuer. Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const acceptJwt: Accept<AcceptJwtPorts> = async (ports, text, { deployment }) => {
  const jwt = readJwt(text);
  const issuer = authorizationServer(ports.settings.baseUrl);
  // A token that names this service as issuer is checked only against our keys, even if an owner configured our name
  // as issuer.
  const accept = jwt.claims['iss'] === issuer ? acceptMinted : acceptExternal;
  return accept(ports, text, jwt, deployment);
};

type AcceptIssued = (
  ports: AcceptJwtPorts,
  text: string,
  jwt: Jwt,
  deployment: Deployment,
) => Promise<Accepted>;

/**
 * Mode `oauth`: a token that the owner minted, which calls as the owner. External issuers are for mode `jwt` only.
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const acceptMintedForLogin: Accept<AcceptJwtPorts> = (ports, text, { deployment }) =>
  acceptMinted(ports, text, readJwt(text), deployment);

/** Checks the signature first, so that a forged token costs no read of the token store. */
const acceptMinted: AcceptIssued = async (ports, text, jwt, deployment) => {
  const { id, slug, authMethod, ownerId, ownerPlan } = deployment;
  const { clock, jwtSignatures, mintedTokens, mintingKeys, notBefore, settings, signingKeys } =
    ports;
  const { jti, subject, isExpired, scopes } = readMinted(jwt, {
    issuer: authorizationServer(settings.baseUrl),
    audiences: resourceNames(settings.baseUrl, slug),
    now: clock.now(),
    maxSeconds: AUTH_METHOD_TRAITS[authMethod].mintedMaxSeconds,
  });
  const own = await mintingKeys.list(jwt.keyId);
  const isOwn = own.some(({ kid }) => kid === jwt.keyId);
  const keys = isOwn ? own : await signingKeys.list(jwt.keyId);
  await jwtSignatures.check(text, keys, [MINTED_ALGORITHM]);
  if (isExpired) throw new EndedToken('token expired');
  const [minted, signedOutAt, ended] = await Promise.all([
    mintedTokens.find(jti),
    ports.signOuts.find(subject),
    notBefore.find(),
  ]);
  if (!minted) throw new InvalidToken('unknown token');
  // Tokens minted before minting had keys of its own stay valid until they expire; newer ones need such a key.
  if (isOwn !== (minted.ownKey === true))
    throw new InvalidToken('signed by a key of another time or use');
  if (minted.revoked) throw new EndedToken('token revoked');
  if (isMintedEnded(ended, minted.createdAt)) throw new EndedToken('all tokens ended');
  // A slug may be taken again by another owner after a deletion; an id never is.
  if (minted.deploymentId !== id) throw new InvalidToken('token for another deployment');
  if (subject !== ownerId) throw new EndedToken('token of another owner');
  if (isMinterSignedOut({ signedOutAt }, minted)) throw new EndedToken('minter signed out');
  const usage = ownerUsageSubject(deployment);
  return { subject, plan: ownerPlan, usage, scopes, tokenId: jti };
};

const acceptExternal: AcceptIssued = async (ports, text, jwt, deployment) => {
  const { jwtIssuer, ownerPlan } = deployment;
  const { clock, issuerKeys, jwtSignatures } = ports;
  if (!jwtIssuer) throw new InvalidToken('unknown issuer');
  const user = readExternal(jwt, jwtIssuer, clock.now());
  const keys = await issuerKeys.find(jwtIssuer.jwksUri, jwt.keyId);
  await jwtSignatures.check(text, keys, jwtIssuer.algorithms);
  if (user.isExpired) throw new EndedToken('token expired');
  const { id: subject, scopes, clientId, tokenId } = user;
  return {
    subject,
    plan: ownerPlan,
    totalUsage: externalUsageSubject(deployment),
    scopes,
    ...(clientId !== undefined && { clientId }),
    ...(tokenId !== undefined && { tokenId }),
  };
};
