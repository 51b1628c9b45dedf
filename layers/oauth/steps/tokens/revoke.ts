import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import { kindOfToken } from '../../rules/tokens/tokens.ts';
import type { Revocation } from '../../rules/tokens/revocation.ts';
import type { OauthPorts } from '../../ports.ts';
import { checkAssertion } from '../clients/authenticate-client.ts';
import type { PortsOf } from '../../../platform/ports.ts';

/**
 * Revokes a token. A refresh token is revoked with its whole family, so that the user must log in again; access
 * tokens live on until they expire. The answer does not say what was found.
 * @param sourceIp - the client's address
 * @throws OAuthRefusal invalid_client for a wrong assertion
 * Source: RFC 7009 §2; docs/decisions/oauth.md, "Revocation".
 */
export const revoke = async (
  ports: PortsOf<typeof checkAssertion> &
    Pick<OauthPorts, 'accessTokens' | 'clock' | 'grants' | 'refreshTokens'>,
  { token, clientIds, assertion }: Revocation,
  sourceIp: string,
): Promise<void> => {
  const { accessTokens, clock, grants, refreshTokens } = ports;
  if (assertion) await checkAssertion(ports, assertion, sourceIp);
  const id = fingerprint(token);
  const isTheirs = ({ clientId }: { readonly clientId: string }): boolean =>
    clientIds.every((one) => one === clientId);

  switch (kindOfToken(token)) {
    case 'refresh': {
      const found = await refreshTokens.find(id);
      if (found && isTheirs(found)) await grants.endRefresh(found.grantId, clock.now());
      return;
    }
    case 'access': {
      const found = await accessTokens.find(id);
      if (found && isTheirs(found)) await accessTokens.revoke(id);
      return;
    }
    case 'unknown':
      return;
  }
};
