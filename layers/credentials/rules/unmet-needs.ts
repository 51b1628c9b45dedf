import {
  type CredentialNeed,
  type CredentialWay,
  wayText,
} from '../../openapi/credential-needs.ts';
import type { DeploymentCredential } from './deployment-credential.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';

type Sent = Pick<DeploymentCredential, 'type'> & { readonly name?: string; readonly in?: string };

/**
 * What operations ask for and a credential is not.
 *
 * @param credential - undefined where none is set: then all of them
 */
export const unmetNeeds = (
  needs: readonly CredentialNeed[],
  credential: Sent | undefined,
): readonly CredentialNeed[] =>
  needs.filter(({ ways }) => !credential || !ways.some((way) => satisfies(way, credential)));

const satisfies = (way: CredentialWay, credential: Sent): boolean => {
  // Whatever stands in that header, only the API knows whether it is right.
  if (isAuthorization(way) && isAuthorization(credential)) {
    return way.type === credential.type || [way.type, credential.type].includes('api_key');
  }
  if (way.type !== 'api_key') return way.type === credential.type;
  if (credential.type !== 'api_key' || credential.in !== way.in) return false;
  const [wanted, sent] = [way.name, credential.name ?? ''];
  return wanted === sent || (way.in === 'header' && wanted.toLowerCase() === sent.toLowerCase());
};

const isAuthorization = ({ type, ...rest }: Sent): boolean =>
  type !== 'api_key' || (rest.in === 'header' && rest.name?.toLowerCase() === 'authorization');

/** Says which operations the API will refuse with the credential that is set; nothing where none is. */
export const unmetNeedsFindings = (
  needs: readonly CredentialNeed[],
  credential: Sent | undefined,
): readonly Finding[] => {
  if (!credential) return [];
  return unmetNeeds(needs, credential)
    .filter(({ ways }) => ways.length > 0)
    .map(({ operations, example, ways }) => ({
      where: '/components/securitySchemes',
      what: `${operations === 1 ? `1 operation (${example}) wants` : `${operations} operations (such as ${example}) want`} ${ways.map(wayText).join(' or ')}, which the credential that is set is not`,
      hint: 'The API may refuse them. Set another credential, or leave them out; one is sent with all calls.',
    }));
};
