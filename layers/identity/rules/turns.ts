import { fingerprint } from '../../platform/rules/fingerprint.ts';
import { DAY, type EpochSeconds, HOUR } from '../../platform/rules/time.ts';

const HOURS = 24;

/**
 * The users whose hour of the day it is, in an order that changes daily: where the time does not suffice for all, it is
 * not always the same ones who are left out.
 */
export const inTurn = (userIds: readonly string[], now: EpochSeconds): readonly string[] => {
  const part = Math.floor(now / HOUR) % HOURS;
  const day = Math.floor(now / DAY);
  const orderOf = new Map(
    userIds
      .filter((id) => partOf(id) === part)
      .map((id) => [id, fingerprint(`${day} ${id}`)] as const),
  );
  return [...orderOf].toSorted(([, one], [, other]) => (one < other ? -1 : 1)).map(([id]) => id);
};

const partOf = (userId: string): number =>
  Number.parseInt(fingerprint(userId).slice(0, 8), 16) % HOURS;
