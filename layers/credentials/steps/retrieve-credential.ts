import type { Ports } from '../../ports.ts';
import {
  type CredentialRef,
  CredentialUnavailable,
  type CredentialUse,
} from '../rules/credential-access.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { isCarried, type SentCredential } from '../../target/rules/credential.ts';
import { MAIN } from '../rules/credential-name.ts';

export type BrokerPorts = RetrieveCredentialPorts & Pick<Ports, 'log'>;

export type RetrieveCredentialPorts = Pick<
  Ports,
  'clock' | 'counters' | 'credentialReader' | 'events'
>;

export interface Retrieval {
  readonly ref: CredentialRef;
  readonly use: CredentialUse;
  /** Names the instance of the router that asks. */
  readonly instance: string;
}

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
  const ended = audit(ports, retrieval);
  try {
    await count(ports, retrieval);
    const credential = await ports.credentialReader.read(retrieval.ref);
    if (!credential) throw new CredentialUnavailable('missing', 'no such version');
    if (!isCarried(credential)) throw new CredentialUnavailable('denied', 'not for the router');
    ended('ok');
    return credential;
  } catch (error) {
    const failure = failureOf(error);
    ended(failure.reason, failure.why);
    throw failure;
  }
};

/**
 * All who ask for the credential of a deployment have one allowance together, which no honest fleet reaches: to
 * read it they have to name it, so that none can ask past this count. The name of an instance is the router's
 * own word, and its allowance bounds mistakes alone; it comes second, so that made-up names leave nothing.
 */
const count = async (
  { clock, counters }: RetrieveCredentialPorts,
  { ref: { deploymentId }, instance }: Retrieval,
): Promise<void> => {
  const now = clock.now();
  const subjects = [
    ['credential_ceiling_per_minute', deploymentId],
    ['credential_retrievals_per_minute', `${deploymentId}#${instance}`],
  ] as const;
  for (const [limit, subject] of subjects) {
    const { allowed } = await counters.take(limit, subject, now);
    if (!allowed) throw new CredentialUnavailable('limited', limit);
  }
};

const failureOf = (error: unknown): CredentialUnavailable => {
  if (error instanceof CredentialUnavailable) return error;
  if (error instanceof Fault) return new CredentialUnavailable('unavailable', error.message);
  throw error;
};

const audit = (
  { clock, events }: RetrieveCredentialPorts,
  { ref: { deploymentId, name, version }, use, instance }: Retrieval,
) => {
  const startedMs = clock.elapsedMs();
  return (outcome: 'ok' | CredentialUnavailable['reason'], why?: string): void =>
    events.record({
      type: 'credential_access',
      deploymentId,
      ...(name !== MAIN && { name }),
      version,
      user: use.user,
      ip: use.ip,
      ...(use.userAgent !== undefined && { userAgent: use.userAgent }),
      requestId: use.requestId,
      instance,
      outcome,
      ...(why !== undefined && { why }),
      durationMs: Math.round(clock.elapsedMs() - startedMs),
    });
};
