import { prolongedExpiry } from '../../rules/clients/client-expiry.ts';
import type { Ports } from '../../../ports.ts';
import type { ProvenClient } from './authenticate-client.ts';

/**
 * Puts the end of a registration off, since it gets or refreshes a grant: before anything is used up, so that
 * a store that is down costs no code.
 *
 * Source: docs/decisions/oauth.md, "Clients that nobody uses".
 */
export const prolongClient = async (
  { clients, clock, settings }: Pick<Ports, 'clients' | 'clock' | 'settings'>,
  client: ProvenClient,
): Promise<void> => {
  if (client.source !== 'registration') return;
  const { refresh_token_seconds: refreshTokenSeconds } = settings.limits;
  const expiresAt = prolongedExpiry(client.expiresAt, clock.now(), refreshTokenSeconds);
  if (expiresAt !== undefined) await clients.prolong(client.id, expiresAt);
};
