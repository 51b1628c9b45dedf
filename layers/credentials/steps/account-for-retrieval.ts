import type { ServiceEvent } from '../../activity/rules/service-event.ts';
import type { Ports } from '../../ports.ts';
import { MAIN } from '../rules/credential-name.ts';
import type { Retrieval } from '../rules/retrieval.ts';

type CountedLimit = Parameters<Ports['counters']['take']>[0];

/**
 * All who ask for the credentials of a deployment have one allowance together, which no honest fleet reaches: to
 * be given one they have to name it, so that none can ask past this count. The name of an instance is the router's
 * own word, and its allowance bounds mistakes alone; it comes second, so that made-up names leave nothing.
 *
 * @returns the limit that is used up; undefined where both allow it
 */
export const exceededLimit = async <Limit extends CountedLimit>(
  { clock, counters }: Pick<Ports, 'clock' | 'counters'>,
  { ref: { deploymentId }, instance }: Retrieval,
  limits: { readonly ofDeployment: Limit; readonly ofInstance: Limit },
): Promise<Limit | undefined> => {
  const now = clock.now();
  const subjects = [
    [limits.ofDeployment, deploymentId],
    [limits.ofInstance, `${deploymentId}#${instance}`],
  ] as const;
  for (const [limit, subject] of subjects) {
    const { allowed } = await counters.take(limit, subject, now);
    if (!allowed) return limit;
  }
  return undefined;
};

type AccessEvent = Extract<ServiceEvent, { readonly type: 'credential_access' }>;

/** Begins the one event that a retrieval leaves. @returns what records it, once it is known how the retrieval ended */
export const accessEvent = (
  { clock, events }: Pick<Ports, 'clock' | 'events'>,
  { ref: { deploymentId, name, version }, use, instance }: Retrieval,
  kind?: string,
) => {
  const startedMs = clock.elapsedMs();
  return (
    outcome: AccessEvent['outcome'],
    { why, code }: { readonly why?: string; readonly code?: string | undefined } = {},
  ): void =>
    events.record({
      type: 'credential_access',
      deploymentId,
      ...(name !== MAIN && { name }),
      version,
      ...(kind !== undefined && { kind }),
      user: use.user,
      ip: use.ip,
      ...(use.userAgent !== undefined && { userAgent: use.userAgent }),
      requestId: use.requestId,
      instance,
      outcome,
      ...(why !== undefined && { why }),
      ...(code !== undefined && { code }),
      durationMs: Math.round(clock.elapsedMs() - startedMs),
    });
};

/** Stores the events of a retrieval. Where that fails, it is said so: the log has them in any case. */
export const storeEvents = async (
  { events, log }: Pick<Ports, 'events' | 'log'>,
  { use }: Retrieval,
): Promise<void> => {
  await events
    .flush()
    .catch(() => log.write({ message: 'events_lost', level: 'error', request_id: use.requestId }));
};
