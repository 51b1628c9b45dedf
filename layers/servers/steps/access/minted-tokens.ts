import type { OauthPorts } from '../../../oauth/ports.ts';
import { authorizationServer, routerAddresses } from '../../../platform/rules/addresses.ts';
import { MINTED_TYPE, mintedClaims } from '../../../tokens/rules/own-jwts.ts';
import { AUTH_METHOD_TRAITS } from '../../../deployments/rules/auth-methods.ts';
import type { Permission } from '../../../accounts/rules/permission.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { checkCompany, notStoodBy } from '../../../accounts/steps/check-company.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { TOOL_SCOPES, type ToolScope } from '../../../tokens/rules/authorization.ts';
import type { PlatformSettings } from '../../../platform/ports.ts';
import { type Owned, ownedDeployment } from '../../../deployments/steps/owned-deployment.ts';
import { isMintedEnded } from '../../../tokens/rules/not-before.ts';
import { isMinterSignedOut } from '../../../accounts/rules/signed-out.ts';
import type { MintedToken } from '../../../tokens/rules/oauth-records.ts';
import type { Page, PageQuery } from '../../../platform/rules/paging.ts';

export interface WantedToken extends Owned {
  /** Default: the maximum of the deployment's mode. */
  readonly expiresInSeconds?: number | undefined;
  /** Names separated by spaces; default: both tool scopes. */
  readonly scope?: string | undefined;
  readonly name?: string | undefined;
  /** The signed-in owner; absent if an operator mints. */
  readonly minter?: User | undefined;
}

/**
 * Mints a token, if the deployment's mode allows it. The record is stored first: a token without one is not accepted,
 * and a record without a token is harmless.
 *
 * @throws ApiRefusal not_found, invalid_request, invalid_session, temporarily_unavailable
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const mintToken = async (
  ports: Pick<
    OauthPorts,
    'clock' | 'deploymentEditor' | 'random' | 'mintedTokens' | 'signer' | 'standings'
  > & { readonly settings: PlatformSettings },
  may: Permission<'minting'>,
  wanted: WantedToken,
) => {
  may.check('minting', { doing: `mint a token for ${wanted.slug}` });
  const { clock, random, mintedTokens, settings, signer } = ports;
  const { minter } = wanted;
  const scopes = scopesOf(wanted.scope);
  const deployment = await ownedDeployment(ports, wanted);
  const most = AUTH_METHOD_TRAITS[deployment.authMethod].mintedMaxSeconds;
  if (most === 0) throw invalid('/slug', 'public', 'Call it without a token.');
  const seconds = wanted.expiresInSeconds ?? most;
  checkSeconds(seconds, most);
  // The token outlives the session, so the company's sign-in rules are checked now.
  if (minter) await checkCompany(ports, minter, 'program', notStoodBy);

  const jti = random.id();
  const issuedAt = clock.now();
  const expiresAt = issuedAt + seconds;
  const named = wanted.name === undefined ? {} : { name: wanted.name };
  await mintedTokens.put({
    jti,
    deploymentId: deployment.id,
    ...named,
    scopes,
    createdAt: issuedAt,
    expiresAt,
    revoked: false,
    ownKey: true,
    ...(minter && { minterSignedOutAt: minter.signedOutAt }),
  });
  const token = await signer.sign(
    MINTED_TYPE,
    mintedClaims({
      issuer: authorizationServer(settings.baseUrl),
      subject: deployment.ownerId,
      audience: routerAddresses(settings.baseUrl, deployment.slug).messages,
      jti,
      scopes,
      issuedAt,
      expiresAt,
    }),
  );
  return { token, jti, scopes, expiresAt };
};

const checkSeconds = (seconds: number, most: number): void => {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= most) return;
  throw invalid(
    '/expires_in',
    'not a lifetime for this deployment',
    `Choose a whole number of seconds from 1 to ${most}.`,
  );
};

const scopesOf = (scope = TOOL_SCOPES.join(' ')): readonly ToolScope[] => {
  const names = new Set(scope.split(' '));
  const scopes = TOOL_SCOPES.filter((one) => names.has(one));
  if (scopes.length > 0 && scopes.length === names.size) return scopes;
  throw invalid('/scope', 'not a scope', `Choose among ${TOOL_SCOPES.join(' and ')}.`);
};

const invalid = (where: string, what: string, hint: string) =>
  new ApiRefusal('invalid_request', 'The token cannot be minted.', [{ where, what, hint }]);

/** Newest first, with ended ones until a day after their expiry. @throws ApiRefusal not_found */
export const listTokens = async (
  ports: Pick<OauthPorts, 'deploymentEditor' | 'mintedTokens' | 'notBefore'>,
  { owner, slug }: { readonly owner: User; readonly slug: string },
  query: PageQuery,
): Promise<Page<MintedToken>> => {
  const { id } = await ownedDeployment(ports, { ownerId: owner.id, slug });
  const [ended, { items, ...page }] = await Promise.all([
    ports.notBefore.find(),
    ports.mintedTokens.page(id, query),
  ]);
  const shown = (token: MintedToken): MintedToken => ({
    ...token,
    revoked:
      token.revoked || isMinterSignedOut(owner, token) || isMintedEnded(ended, token.createdAt),
  });
  return { ...page, items: items.map(shown) };
};

/**
 * Idempotent.
 *
 * @throws ApiRefusal not_found, also for a token of another deployment
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export const revokeToken = async (
  ports: Pick<OauthPorts, 'deploymentEditor' | 'mintedTokens'>,
  { jti, ...owned }: Owned & { readonly jti: string },
): Promise<void> => {
  const { mintedTokens } = ports;
  const [{ id }, token] = await Promise.all([
    ownedDeployment(ports, owned),
    mintedTokens.find(jti),
  ]);
  if (token?.deploymentId !== id) {
    throw new ApiRefusal('not_found', 'The deployment has no token of this jti.');
  }
  await mintedTokens.revoke(jti);
};
