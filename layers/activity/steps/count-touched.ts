import { eachAtOnce } from '../../platform/rules/at-once.ts';
import { type Counted, isNewer, joinedCounts, type StoredCount } from '../rules/call-counts.ts';
import { hourOf } from '../rules/minutes.ts';
import type { ActivityPorts } from '../ports.ts';
import {
  markOf,
  minuteName,
  type Reading,
  type TouchedMinute,
  type Writing,
} from '../rules/touched.ts';

type CountPorts = Pick<ActivityPorts, 'callTally' | 'untallied'>;

/** Concurrency: deployments, and minutes of each. */
const [DEPLOYMENTS_AT_ONCE, MINUTES_AT_ONCE] = [8, 8];

/**
 * Counts minutes from their stored calls, and sums up the hours that they are in. With `isForGood`, hours are summed
 * up in any case: an earlier run may have died after it wrote a minute.
 */
export const countTouched = async (
  ports: CountPorts,
  touched: readonly TouchedMinute[],
  how: Reading & Writing,
): Promise<Counted> => {
  const each = [...new Map(touched.map((one) => [markOf(one), one])).values()];
  const hours = [
    ...Map.groupBy(
      each,
      ({ deploymentId, minute }) => `${deploymentId}#${hourOf(minute)}`,
    ).values(),
  ];
  const unread = await eachAtOnce(DEPLOYMENTS_AT_ONCE, hours, (its) => countHour(ports, its, how));
  return { minutes: each.length, unread: unread.reduce((sum, count) => sum + count, 0) };
};

/**
 * Sums up the hour after its minutes are written, so that of two parallel runs the later one has both.
 * @param touched - one or more, of one hour of a deployment
 * @returns how many of them have unreadable calls
 */
const countHour = async (
  { callTally, untallied }: CountPorts,
  touched: readonly TouchedMinute[],
  how: Reading & Writing,
): Promise<number> => {
  const [{ deploymentId, minute }] = touched as [TouchedMinute];
  const hour = hourOf(minute);
  const times = touched.map((one) => one.minute).toSorted();
  const span = [times[0] ?? hour, times.at(-1) ?? hour] as const;
  const before = await callTally.minutes(deploymentId, span, how);
  const written = new Map<string, StoredCount>();
  const unread: TouchedMinute[] = [];
  await eachAtOnce(MINUTES_AT_ONCE, touched, async (one) => {
    const known = before.get(minuteName(one));
    const count = await callTally.count(one, how, how.isAnew ? undefined : known);
    if (count.unread > 0) unread.push(one);
    const isWritten = how.isAnew || isNewer(count, known);
    if (!isWritten || (count.seen === 0 && !how.isAnew)) return;
    written.set(minuteName(one), await callTally.putMinute(one, count, how));
  });
  // Reported only after consistent reads, which are final.
  if (how.isForGood && unread.length > 0) await untallied.tell(unread);
  if (written.size === 0 && !how.isForGood) return unread.length;

  const minutes = new Map(await callTally.minutes(deploymentId, [hour, hour], how));
  for (const [name, count] of written) {
    // The eventually consistent read may not have it yet.
    if (isNewer(count, minutes.get(name))) minutes.set(name, count);
  }
  const sum = joinedCounts(minutes.values());
  if (sum.seen === 0 && !how.isAnew) return unread.length;
  const isKnown = written.size === 0 && !how.isAnew;
  if (isKnown && !isNewer(sum, await callTally.hour(deploymentId, hour))) return unread.length;
  await callTally.putHour(deploymentId, hour, sum, how);
  return unread.length;
};
