import { isoTime } from '../../platform/rules/time.ts';
import type { AccountPorts } from '../steps/ports.ts';
import { endOwnSession, listOwnSessions } from '../steps/own-sessions.ts';
import { apiReply } from '../../platform/http/reply.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';

/** Source: docs/decisions/accounts.md, "What is mine". */
export const getSessions =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    const sessions = await listOwnSessions(ports, event.headers['authorization']);
    return apiReply(200, {
      items: sessions.map(({ id, isCurrent, session }) => ({
        id,
        kind: session.kind,
        current: isCurrent,
        ...(session.userAgent !== undefined && { user_agent: session.userAgent }),
        created_at: isoTime(session.createdAt),
        expires_at: isoTime(session.expiresAt),
      })),
    });
  };

export const deleteOwnSession =
  (ports: AccountPorts): Endpoint =>
  async (event) => {
    await endOwnSession(ports, event.headers['authorization'], event.parameters['id'] ?? '');
    return apiReply(204);
  };
