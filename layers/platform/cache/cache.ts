import { LRUCache } from 'lru-cache';
import type { EpochSeconds } from '../rules/time.ts';
import type { Clock } from '../system/clock.ts';
import { sharedLoads } from './shared-loads.ts';

export interface Cached<Value> {
  (key: string, load: () => Promise<Value>): Promise<Value>;
  /** Loads a value that is remembered too, unless that was loaded within this second. */
  again(key: string, load: () => Promise<Value>): Promise<Value>;
  /** Whether a value of the key would be given out now, without loading. */
  knows(key: string): boolean;
}

export interface CacheOptions<Value> {
  /** How long a value may be given out, in seconds since its loading began; 0: not at all. */
  readonly keepSeconds: (value: Value) => number;
  /** A whole number of at least 1, of what is kept. */
  readonly weigh: (value: Value) => number;
  /** What all values together may weigh; those unused for longest go first. */
  readonly maxWeight: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly from: EpochSeconds;
  readonly until: EpochSeconds;
}

/**
 * Remembers what was loaded. Calls for a key that is being loaded share that load; a failed load is
 * remembered by nobody.
 *
 * Age is measured on the wall clock, since the monotonic one may stand still while a function is
 * frozen; a clock that was set back makes values too old, which the library's own ages do not know.
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
