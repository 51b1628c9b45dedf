import type { FindSessionPorts } from './sessions.ts';
import { isSessionEnded } from '../../tokens/rules/not-before.ts';
import { isSessionOver } from '../rules/signed-out.ts';
import { type Fingerprint, isFingerprint } from '../../platform/rules/fingerprint.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { StoredSession } from '../rules/records.ts';
import type { AccountsPorts } from '../ports.ts';
import { countWork, type CountWorkPorts } from '../../limits/steps/count-work.ts';
import { requireSessionOf } from './require-session.ts';

export type OwnSessionsPorts = FindSessionPorts &
  CountWorkPorts &
  Pick<AccountsPorts, 'clock' | 'sessions'>;

export interface OwnSession extends StoredSession {
  /** Whether the request was made with this session or with a token that it issued. */
  readonly isCurrent: boolean;
}

const MOST = 100;
const LOOKED_AT = 1000;

/**
 * Active sessions of a user, newest first.
 * @throws ApiRefusal invalid_session, rate_limited
 * Source: docs/decisions/accounts.md, "What is mine".
 */
export const listOwnSessions = async (
  ports: OwnSessionsPorts,
  authorization: string | undefined,
): Promise<readonly OwnSession[]> => {
  const { clock, notBefore, sessions } = ports;
  const { user, fingerprint } = await requireSessionOf(ports, authorization);
  await countWork(ports, 'console_tokens_per_minute_per_user', user.id);
  const [{ items }, ended] = await Promise.all([
    sessions.pageOfUser(user.id, { limit: LOOKED_AT }),
    notBefore.find(),
  ]);
  return items
    .filter(
      ({ session: { createdAt, expiresAt } }) =>
        clock.now() < expiresAt &&
        !isSessionOver(user, createdAt) &&
        !isSessionEnded(ended, createdAt),
    )
    .slice(0, MOST)
    .map((kept) => ({ ...kept, isCurrent: kept.id === fingerprint }));
};

/**
 * Ends one of the user's own sessions and the tokens that it issued; also an expired one.
 * @param id - fingerprint of the session, as listed
 * @throws ApiRefusal invalid_session, rate_limited; not_found, also for a session of another user
 */
export const endOwnSession = async (
  ports: OwnSessionsPorts,
  authorization: string | undefined,
  id: string,
): Promise<void> => {
  const { user } = await requireSessionOf(ports, authorization);
  await countWork(ports, 'console_tokens_per_minute_per_user', user.id);
  const session = isFingerprint(id) ? await ports.sessions.find(id) : undefined;
  if (session?.userId !== user.id) {
    throw new ApiRefusal('not_found', 'You have no session of this id.');
  }
  await ports.sessions.end(id as Fingerprint);
};
