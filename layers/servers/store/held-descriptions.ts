import { LRUCache } from 'lru-cache';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { FetchedAddress } from '../rules/fetch-terms.ts';
import type { Clock } from '../../platform/system/clock.ts';

const KEPT_SECONDS = 10 * MINUTE;
/** Bytes of all together: three of the largest descriptions. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Documents of recent checks, in this instance's memory, so that a check of another choice of operations need not fetch
 * the description again. Keyed by owner, address and SHA-256: only a caller who knows the hash gets it.
 */
export const heldDescriptions = ({ now }: Pick<Clock, 'now'>) => {
  const held = new LRUCache<string, { readonly sent: Uint8Array; readonly at: EpochSeconds }>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ sent }) => sent.byteLength + 1,
  });
  return {
    keep: (place: HeldPlace, { sent }: { readonly sent: Uint8Array }): void =>
      void held.set(keyOf(place), { sent, at: now() }),

    /** @returns undefined if this instance does not have it any more */
    find: (place: HeldPlace): { readonly sent: Uint8Array } | undefined => {
      const found = held.get(keyOf(place));
      return found && found.at <= now() && now() < found.at + KEPT_SECONDS ? found : undefined;
    },
  };
};

export type HeldDescriptions = ReturnType<typeof heldDescriptions>;

type HeldPlace = FetchedAddress & { readonly ownerId: string };

const keyOf = ({ ownerId, url, sha256 }: HeldPlace): string =>
  JSON.stringify([ownerId, url, sha256]);
