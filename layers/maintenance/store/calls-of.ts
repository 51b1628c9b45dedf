import {
  packCalls,
  readCalls,
  type UnreadCall,
  unpackPacked,
} from '../../activity/store/call-item.ts';
import { ERASED } from '../../platform/rules/subject.ts';
import type { Item, Match, Wanted } from './matches.ts';

/** Calls of a person within an item with many calls; the rest of the item, and the number of calls, stay. */
export const callsOf = (item: Item, { ids }: Wanted): Match | undefined => {
  const [kind, deploymentId = ''] = String(item['pk']).split('#');
  if (kind !== 'CALLS') return undefined;
  const isTheirs = (call: UnreadCall) => ids.includes(String(call['subject']));
  const without: Record<string, unknown> = {};
  const found: UnreadCall[] = [];
  for (const name of ['calls', 'begun'] as const) {
    const packed = item[name];
    if (!(packed instanceof Uint8Array)) continue;
    const calls = unpackPacked(deploymentId, packed);
    const theirs = calls.filter(isTheirs);
    if (theirs.length === 0) continue;
    found.push(...theirs);
    const left = calls.map((call) => (isTheirs(call) ? withoutName(call) : call));
    without[name] = packCalls(readCalls(deploymentId, left));
  }
  if (found.length === 0) return undefined;
  return {
    record: { place: 'calls CALLS', content: { deploymentId, calls: found } },
    without,
  };
};

const withoutName = (call: UnreadCall): UnreadCall => ({
  ...call,
  subject: ERASED,
  ip: ERASED,
  // By these ids the person could be found in the log.
  ...(call['grantId'] !== undefined && { grantId: ERASED }),
  ...(call['tokenId'] !== undefined && { tokenId: ERASED }),
});
