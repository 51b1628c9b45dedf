import { TokenUnavailable } from '../../../connections/rules/token-failure.ts';
import { originOf } from '../../../platform/rules/origin.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { ConnectionsPorts } from '../../../connections/ports.ts';
import type { Credential } from '../../../target/rules/credential.ts';
import type { Trust } from '../../../target/rules/target.ts';

/**
 * Adds the origin of the token endpoint, the only one that the client's secret may go to: as the owner named it, or as
 * the issuer's metadata name it now.
 *
 * @param trust - CA certificates of the deployment
 * @throws ApiRefusal invalid_request
 */
export const withTokenOrigin = async (
  ports: Pick<ConnectionsPorts, 'tokenEndpoints'>,
  credential: Credential,
  trust: Trust,
): Promise<Credential> => {
  if (credential.type !== 'oauth_client') return credential;
  const { issuer, tokenUrl, tokenOrigin } = credential;
  const endpoint = tokenUrl ?? (await endpointOf(ports, issuer ?? '', trust));
  const origin = originOf(endpoint);
  if (tokenOrigin !== undefined && tokenOrigin !== origin) {
    throw unusableEndpoint(
      '/token_origin',
      `tokens are given at ${origin}`,
      'Leave it out, or name that.',
    );
  }
  return { ...credential, tokenOrigin: origin };
};

const endpointOf = (
  { tokenEndpoints }: Pick<ConnectionsPorts, 'tokenEndpoints'>,
  issuer: string,
  trust: Trust,
): Promise<string> =>
  tokenEndpoints.of(issuer, trust).catch((error: unknown) => {
    if (!(error instanceof TokenUnavailable)) throw error;
    throw unusableEndpoint(
      '/issuer',
      `no token endpoint was found: ${error.why}`,
      'Name the issuer exactly as its metadata do (RFC 8414, OpenID Connect Discovery), or give `token_url` in its place.',
    );
  });

const unusableEndpoint = (where: string, what: string, hint: string) =>
  new ApiRefusal('invalid_request', 'This credential cannot be used.', [{ where, what, hint }]);
