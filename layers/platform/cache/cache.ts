import { LRUCache } from 'lru-cache';
import type { EpochSeconds } from '../rules/time.ts';
import type { Clock } from '../system/clock.ts';
import { sharedLoads } from './shared-loads.ts';

export interface Cached<Value> {
  (key: string, load: () => Promise<Value>): Promise<Value>;
  /** Loads and caches the value again, unless it was loaded within this second. */
  again(key: string, load: () => Promise<Value>): Promise<Value>;
  /** Whether the cache has a valid value for the key. */
  knows(key: string): boolean;
}

export interface CacheOptions<Value> {
  /** Seconds from the start of loading for which a value may be used; 0: not at all. */
  readonly keepSeconds: (value: Value) => number;
  readonly weigh: (value: Value) => number;
  /** Maximum total weight; least recently used values are dropped first. */
  readonly maxWeight: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly from: EpochSeconds;
  readonly until: EpochSeconds;
}

/**
 * Caches loaded values. Concurrent calls for a key share one load; failures are not cached.
 *
 * Age is measured on the wall clock, since the monotonic clock may stop while a function is frozen. A clock that was
 * set back makes values count as too old, which the LRU library's own TTL does not handle.
 */
export const cached = <Value>(
  clock: Clock,
  { keepSeconds, weigh, maxWeight }: CacheOptions<Value>,
): Cached<Value> => {
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize: maxWeight,
    sizeCalculation: ({ value }) => weigh(value),
  });
  const shared = sharedLoads<Value>();

  const loadAndKeep = async (key: string, from: EpochSeconds, load: () => Promise<Value>) => {
    const value = await load();
    const seconds = keepSeconds(value);
    if (seconds > 0) entries.set(key, { value, from, until: from + seconds });
    else entries.delete(key);
    return value;
  };

  const recall = async (key: string, load: () => Promise<Value>): Promise<Value> => {
    const now = clock.now();
    const known = entries.get(key);
    if (isCurrent(known, now)) return known.value;
    return shared(key, () => loadAndKeep(key, now, load));
  };

  const again = async (key: string, load: () => Promise<Value>): Promise<Value> => {
    const now = clock.now();
    const known = entries.peek(key);
    if (isCurrent(known, now) && known.from === now) return known.value;
    return shared(key, () => loadAndKeep(key, now, load));
  };

  const knows = (key: string) => isCurrent(entries.peek(key), clock.now());
  return Object.assign(recall, { again, knows });
};

const isCurrent = <Value>(
  entry: Entry<Value> | undefined,
  now: EpochSeconds,
): entry is Entry<Value> => entry !== undefined && entry.from <= now && now < entry.until;
