import type { ExpiryManifest } from '../../../lambdas/storage-manifest.ts';
import type { Bucket } from './bucket.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes the objects that a lifecycle has expired.
 *
 * @param now - epoch seconds
 * @returns how many were deleted
 */
export const sweepExpired = async (
  bucket: Bucket,
  expires: readonly ExpiryManifest[],
  now: number,
): Promise<number> => {
  const expired = bucket
    .list()
    .filter(({ key, modifiedAt }) =>
      expires.some(
        ({ prefix, afterDays }) =>
          key.startsWith(prefix) && modifiedAt + afterDays * DAY_MS <= now * 1000,
      ),
    );
  for (const { key } of expired) await bucket.delete(key);
  return expired.length;
};
