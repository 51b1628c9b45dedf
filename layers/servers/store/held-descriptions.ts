import { LRUCache } from 'lru-cache';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { Clock } from '../../platform/system/clock.ts';

const KEPT_SECONDS = 10 * MINUTE;
/** Bytes of all together: three of the largest descriptions. */
const MOST_BYTES = 16 * 1024 * 1024;

/** What an address said to somebody, as it was received. */
interface HeldDescription {
  readonly sent: Uint8Array;
}

interface Held extends HeldDescription {
  readonly at: EpochSeconds;
}

/**
 * What addresses said to looks of the last minutes, in the memory of this instance: whoever looks at another choice of the
 * operations gets the same description, and nobody is asked for it again. By who looked, the address, and the SHA-256 of what
 * it said, which whoever asks has to name.
 */
export const heldDescriptions = ({ now }: Pick<Clock, 'now'>) => {
  const held = new LRUCache<string, Held>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ sent }) => sent.byteLength + 1,
  });
  return {
    keep: (place: HeldPlace, description: HeldDescription): void =>
      void held.set(keyOf(place), { ...description, at: now() }),

    /** @returns undefined where this instance has it no more */
    find: (place: HeldPlace): HeldDescription | undefined => {
      const found = held.get(keyOf(place));
      return found && found.at <= now() && now() < found.at + KEPT_SECONDS ? found : undefined;
    },
  };
};

export type HeldDescriptions = ReturnType<typeof heldDescriptions>;

interface HeldPlace {
  readonly ownerId: string;
  readonly url: string;
  /** In hex. */
  readonly sha256: string;
}

const keyOf = ({ ownerId, url, sha256 }: HeldPlace): string =>
  JSON.stringify([ownerId, url, sha256]);
