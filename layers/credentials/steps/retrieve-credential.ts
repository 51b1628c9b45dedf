import type { CredentialsPorts } from '../ports.ts';
import type { PlatformPorts } from '../../platform/ports.ts';
import { CredentialUnavailable } from '../rules/credential-access.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { isCarried, type WrittenCredential } from '../../target/rules/credential.ts';
import type { Retrieval } from '../rules/retrieval.ts';
import { accessEvent } from './account-for-retrieval.ts';

export type BrokerPorts = RetrieveCredentialPorts & Pick<PlatformPorts, 'log'>;

export type RetrieveCredentialPorts = Pick<
  CredentialsPorts,
  'clock' | 'counters' | 'credentialReader' | 'events'
>;

/**
 * Records one event for each retrieval, whatever the outcome.
 *
 * @throws CredentialUnavailable
 * Source: docs/decisions/credentials.md, "Credentials".
 */
export const retrieveCredential = async (
  ports: RetrieveCredentialPorts,
  retrieval: Retrieval,
): Promise<WrittenCredential> => {
  const ended = accessEvent(ports, retrieval);
  try {
    const exceeded = await exceededLimit(ports, retrieval);
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

/**
 * Counts the retrieval, first per deployment: a request must name the right deployment to succeed, so nobody can evade
 * this count, and no honest fleet reaches it. The count per instance only bounds mistakes, since instances name
 * themselves; it comes second, so that made-up names write nothing.
 *
 * @returns the limit that is used up; undefined where both allow it
 */
const exceededLimit = async (
  { clock, counters }: Pick<RetrieveCredentialPorts, 'clock' | 'counters'>,
  { ref: { deploymentId }, instance }: Retrieval,
): Promise<string | undefined> => {
  const now = clock.now();
  const subjects = [
    ['credential_ceiling_per_minute', deploymentId],
    ['credential_retrievals_per_minute', `${deploymentId}#${instance}`],
  ] as const;
  for (const [limit, subject] of subjects) {
    const { allowed } = await counters.take(limit, subject, now);
    if (!allowed) return limit;
  }
  return undefined;
};

const failureOf = (error: unknown): CredentialUnavailable => {
  if (error instanceof CredentialUnavailable) return error;
  if (error instanceof Fault) return new CredentialUnavailable('unavailable', error.message);
  throw error;
};
