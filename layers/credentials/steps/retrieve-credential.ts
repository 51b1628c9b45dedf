import type { Ports } from '../../ports.ts';
import { CredentialUnavailable } from '../rules/credential-access.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { isCarried, type SentCredential } from '../../target/rules/credential.ts';
import type { Retrieval } from '../rules/retrieval.ts';
import { accessEvent, exceededLimit } from './account-for-retrieval.ts';

export type BrokerPorts = RetrieveCredentialPorts & Pick<Ports, 'log'>;

export type RetrieveCredentialPorts = Pick<
  Ports,
  'clock' | 'counters' | 'credentialReader' | 'events'
>;

/**
 * Retrieves a credential for an instance of the router. Each retrieval leaves one event, however it ends.
 *
 * @throws CredentialUnavailable
 *
 * Source: docs/decisions/credentials.md, "Credentials".
 */
export const retrieveCredential = async (
  ports: RetrieveCredentialPorts,
  retrieval: Retrieval,
): Promise<SentCredential> => {
  const ended = accessEvent(ports, retrieval);
  try {
    const exceeded = await exceededLimit(ports, retrieval, LIMITS);
    if (exceeded) throw new CredentialUnavailable('limited', exceeded);
    const credential = await ports.credentialReader.read(retrieval.ref);
    if (!credential) throw new CredentialUnavailable('missing', 'no such version');
    if (!isCarried(credential)) throw new CredentialUnavailable('denied', 'not for the router');
    ended('ok');
    return credential;
  } catch (error) {
    const failure = failureOf(error);
    ended(failure.reason, failure);
    throw failure;
  }
};

const LIMITS = {
  ofDeployment: 'credential_ceiling_per_minute',
  ofInstance: 'credential_retrievals_per_minute',
} as const;

const failureOf = (error: unknown): CredentialUnavailable => {
  if (error instanceof CredentialUnavailable) return error;
  if (error instanceof Fault) return new CredentialUnavailable('unavailable', error.message);
  throw error;
};
