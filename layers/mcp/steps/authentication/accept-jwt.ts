import { authorizationServer, resourceNames } from '../../../platform/rules/addresses.ts';
import { AUTH_METHOD_TRAITS } from '../../../deployments/rules/auth-methods.ts';
import { isMinterSignedOut } from '../../../accounts/rules/signed-out.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { externalUsageSubject, ownerUsageSubject } from '../../../limits/rules/windows.ts';
import { isMintedEnded } from '../../../tokens/rules/not-before.ts';
import { InvalidToken } from '../../../tokens/rules/authorization.ts';
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
 * Mode `jwt`: a token that the service minted for the deployment, or one of the issuer that its owner
 * trusts. Whom that issuer vouches for is the owner's own choice, so no access policy is asked.
 *
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const acceptJwt: Accept<AcceptJwtPorts> = async (ports, text, { deployment }) => {
  const jwt = readJwt(text);
  const issuer = authorizationServer(ports.settings.baseUrl);
  // Our own name leads to our own keys alone, whatever an owner has written down as issuer.
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
 * Where people sign in: a token that the deployment's owner minted, which calls as its owner. Tokens of other issuers
 * are of mode `jwt` alone.
 *
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const acceptMintedForLogin: Accept<AcceptJwtPorts> = (ports, text, { deployment }) =>
  acceptMinted(ports, text, readJwt(text), deployment);

/** The signature comes first, so that a forged token costs no read. */
const acceptMinted: AcceptIssued = async (ports, text, jwt, deployment) => {
  const { id, slug, authMethod, ownerId, ownerPlan } = deployment;
  const { clock, jwtSignatures, mintedTokens, mintingKeys, notBefore, settings, signingKeys } =
    ports;
  const { jti, subject, scopes } = readMinted(jwt, {
    issuer: authorizationServer(settings.baseUrl),
    audiences: resourceNames(settings.baseUrl, slug),
    now: clock.now(),
    maxSeconds: AUTH_METHOD_TRAITS[authMethod].mintedMaxSeconds,
  });
  const own = await mintingKeys.list(jwt.keyId);
  const isOwn = own.some(({ kid }) => kid === jwt.keyId);
  const keys = isOwn ? own : await signingKeys.list(jwt.keyId);
  await jwtSignatures.check(text, keys, [MINTED_ALGORITHM]);
  const [minted, signedOutAt, ended] = await Promise.all([
    mintedTokens.find(jti),
    ports.signOuts.find(subject),
    notBefore.find(),
  ]);
  if (!minted) throw new InvalidToken('unknown token');
  // Those from before minted tokens had keys of their own go on until their end, and no new ones.
  if (isOwn !== (minted.ownKey === true))
    throw new InvalidToken('signed by a key of another time or use');
  if (minted.revoked) throw new InvalidToken('token revoked');
  if (isMintedEnded(ended, minted.createdAt)) throw new InvalidToken('all tokens ended');
  // A slug may be taken again by somebody else; an id never is.
  if (minted.deploymentId !== id) throw new InvalidToken('token for another deployment');
  if (subject !== ownerId) throw new InvalidToken('token of another owner');
  if (isMinterSignedOut({ signedOutAt }, minted)) throw new InvalidToken('minter signed out');
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
