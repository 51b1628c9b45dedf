import type { ServiceEvent } from '../../events/rules/service-event.ts';
import type { EventsPorts } from '../../events/ports.ts';
import { MAIN } from '../rules/credential-name.ts';
import type { Retrieval } from '../rules/retrieval.ts';

type AccessEvent = Extract<ServiceEvent, { readonly type: 'credential_access' }>;

/** Starts the event of a retrieval. @returns function that records it with the outcome */
export const accessEvent = (
  { clock, events }: Pick<EventsPorts, 'clock' | 'events'>,
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

/** Stores the events of a retrieval. A failure is logged, and so are the events themselves. */
export const storeEvents = async (
  { events, log }: Pick<EventsPorts, 'events' | 'log'>,
  { use }: Retrieval,
): Promise<void> => {
  await events
    .flush()
    .catch(() => log.write({ message: 'events_lost', level: 'error', request_id: use.requestId }));
};
