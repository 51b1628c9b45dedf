import type { Clock } from '../../ports.ts';

export interface Recall<Value> {
  (key: string, load: () => Promise<Value>): Promise<Value>;
  /** Whether a value of the key would be given out now, without loading. */
  knows(key: string): boolean;
}

export interface Recollection<Value> {
  /** How long a value may be given out, in seconds since its loading began; 0: not at all. */
  readonly keepSeconds: (value: Value) => number;
  readonly weigh: (value: Value) => number;
  /** What all values together may weigh; those unused for longest go first. */
  readonly maxWeight: number;
}

/**
 * Remembers what was loaded. Calls for a key that is being loaded share that load; a failed load is
 * remembered by nobody.
 *
 * Age is measured on the wall clock, since the monotonic one may stand still while a function is
 * frozen; a clock that was set back makes values too old.
 */
export const recalling = <Value>(
  clock: Clock,
  { keepSeconds, weigh, maxWeight }: Recollection<Value>,
): Recall<Value> => {
  const kept = new Map<string, { value: Value; weight: number; from: number; until: number }>();
  const loading = new Map<string, Promise<Value>>();
  let keptWeight = 0;

  const drop = (key: string) => {
    keptWeight -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  };

  const keep = (key: string, value: Value, from: number) => {
    drop(key);
    const weight = weigh(value);
    const seconds = keepSeconds(value);
    if (seconds <= 0 || weight > maxWeight) return;
    kept.set(key, { value, weight, from, until: from + seconds });
    keptWeight += weight;
    for (const oldest of kept.keys()) {
      if (keptWeight <= maxWeight) break;
      drop(oldest);
    }
  };

  const begin = (key: string, from: number, load: () => Promise<Value>): Promise<Value> => {
    const value = load()
      .then((value) => {
        keep(key, value, from);
        return value;
      })
      .finally(() => loading.delete(key));
    loading.set(key, value);
    return value;
  };

  const entryOf = (key: string, now: number) => {
    const entry = kept.get(key);
    return entry && entry.from <= now && now < entry.until ? entry : undefined;
  };

  const recall = async (key: string, load: () => Promise<Value>): Promise<Value> => {
    const now = clock.now();
    const known = entryOf(key, now);
    if (known) {
      // Last in a Map's order is what was used last.
      kept.delete(key);
      kept.set(key, known);
      return known.value;
    }
    return loading.get(key) ?? begin(key, now, load);
  };

  const knows = (key: string) => entryOf(key, clock.now()) !== undefined;
  return Object.assign(recall, { knows });
};
