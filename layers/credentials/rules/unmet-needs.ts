import {
  canBeMet,
  type CredentialNeed,
  type CredentialWay,
  waysText,
} from '../../openapi/credential-needs.ts';
import type { DeploymentCredential } from './deployment-credential.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';

type Sent = Pick<DeploymentCredential, 'type'> & { readonly name?: string; readonly in?: string };

/** Security needs of operations that no credential satisfies; with no credentials, all of them. */
export const unmetNeeds = (
  needs: readonly CredentialNeed[],
  credentials: readonly Sent[],
): readonly CredentialNeed[] => {
  const sent = credentials.map(asSent);
  const isMet = (way: CredentialWay) => sent.some((one) => satisfies(way, one));
  return needs.filter(
    ({ ways, together = [] }) => !ways.some(isMet) && !together.some((all) => all.every(isMet)),
  );
};

/** Credential that calls carry in place of a connected one. */
const asSent = (credential: Sent): Sent => {
  if (credential.type === 'oauth_client') return { type: 'bearer' };
  if (credential.type !== 'session') return credential;
  return {
    type: 'api_key',
    in: credential.in ?? 'header',
    name: credential.name ?? 'Authorization',
  };
};

const satisfies = (way: CredentialWay, credential: Sent): boolean => {
  // Any credential in the `Authorization` header may satisfy: only the API knows whether it does.
  if (isAuthorization(way) && isAuthorization(credential)) {
    return way.type === credential.type || [way.type, credential.type].includes('api_key');
  }
  if (way.type !== 'api_key') return way.type === credential.type;
  if (credential.type !== 'api_key' || credential.in !== way.in) return false;
  const [wanted, sent] = [way.name, credential.name ?? ''];
  return wanted === sent || (way.in === 'header' && wanted.toLowerCase() === sent.toLowerCase());
};

const isAuthorization = ({ type, ...rest }: Sent): boolean =>
  type === 'bearer' ||
  type === 'basic' ||
  (rest.in === 'header' && rest.name?.toLowerCase() === 'authorization');

/** Warns of operations that the API will refuse with the credentials that are set; nothing where none is set. */
export const unmetNeedsFindings = (
  needs: readonly CredentialNeed[],
  credentials: readonly Sent[],
): readonly Finding[] => {
  const [first, ...others] = credentials;
  if (!first) return [];
  const which =
    others.length > 0
      ? 'none of the credentials that are set is'
      : 'the credential that is set is not';
  return unmetNeeds(needs, credentials)
    .filter(canBeMet)
    .map((need) => ({
      where: '/components/securitySchemes',
      what: `${need.operations === 1 ? `1 operation (${need.example}) wants` : `${need.operations} operations (such as ${need.example}) want`} ${waysText(need)}, which ${which}`,
      hint: need.together
        ? 'The API may refuse them. Set each under a name of its own (`credential set --credential`), or leave the operations out.'
        : 'The API may refuse them. Set another credential, or one besides under a name of its own (`credential set --credential`), or leave them out.',
    }));
};
