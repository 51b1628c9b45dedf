import { accountEvent } from '../../events/rules/service-event.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../ports.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import { isTrustEnded, type KeptTrust, type Trust, trustFindings } from '../rules/trust.ts';
import type { Permission } from '../rules/permission.ts';
import type { User } from '../rules/user.ts';
import { freshSignIn } from './personal-tokens.ts';
import type { SessionTimes } from './require-session.ts';

type TrustPorts = Pick<AccountsPorts, 'clock' | 'events' | 'random' | 'trusts'> & {
  readonly settings: LimitsSettings;
};

const LOOKED_AT = 1000;

export type WantedTrust = Omit<Trust, 'createdAt' | 'endedAt' | 'usedOn' | 'userId'>;

/**
 * Makes a trust, by which a machine can sign in for the user.
 * @param session - of the user; absent with a token for programs
 * @throws ApiRefusal sign_in_again, invalid_request, limit_reached
 * Source: docs/decisions/accounts.md, "Machines without a secret".
 */
export const makeTrust = async (
  ports: TrustPorts,
  may: Permission<'minting'>,
  user: User,
  session: SessionTimes | undefined,
  wanted: WantedTrust,
): Promise<KeptTrust> => {
  const { clock, random, settings, trusts } = ports;
  may.check('minting', { doing: 'trust a machine' });
  const { asOf } = freshSignIn(session, clock.now());
  const findings = trustFindings(wanted);
  if (findings.length > 0) {
    throw new ApiRefusal('invalid_request', 'Others could sign in by this too.', findings);
  }
  const most = settings.limits.trusts_per_user;
  if ((await listTrusts(ports, user)).length >= most) {
    throw new ApiRefusal(
      'limit_reached',
      `You trust ${most} machines, the most there may be. End one first.`,
      [],
      'trusts',
      { limit: 'trusts_per_user' },
    );
  }
  const id = random.id();
  const createdAt = Math.max(asOf, user.trustsEndedAt ?? 0);
  const trust = { ...wanted, userId: user.id, createdAt };
  await trusts.put(id, trust);
  record(ports, user, 'trust_made', trust);
  return { id, trust };
};

/** Active trusts, newest first. */
export const listTrusts = async (
  { trusts }: Pick<TrustPorts, 'trusts'>,
  user: User,
): Promise<readonly KeptTrust[]> => {
  const { items } = await trusts.pageOfUser(user.id, { limit: LOOKED_AT });
  return items.filter(({ trust }) => !isTrustEnded(user, trust));
};

/** Ends a trust; tokens issued by it end within 15 minutes. @throws ApiRefusal not_found */
export const endTrust = async (
  ports: Pick<TrustPorts, 'clock' | 'events' | 'trusts'>,
  user: User,
  id: string,
): Promise<void> => {
  const found = IS_ID.test(id) ? await ports.trusts.find(id) : undefined;
  if (found?.userId !== user.id || isTrustEnded(user, found)) {
    throw new ApiRefusal('not_found', 'You trust no machine by this id.');
  }
  await ports.trusts.end(id, ports.clock.now());
  record(ports, user, 'trust_ended', found);
};

export const IS_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export const endTrusts = async (
  { clock, trusts }: Pick<AccountsPorts, 'clock' | 'trusts'>,
  userId: string,
): Promise<void> => {
  const { items } = await trusts.pageOfUser(userId, { limit: LOOKED_AT });
  for (const { id } of items) await trusts.end(id, clock.now());
};

const record = (
  { events }: Pick<TrustPorts, 'events'>,
  user: User,
  event: 'trust_made' | 'trust_ended',
  { name, scope, issuer }: Trust,
): void => events.record(accountEvent(event, user, `${scope}: ${name} (${issuer})`));
