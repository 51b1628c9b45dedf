import type { Bucket } from './bucket.ts';

/**
 * Deletes the objects that a lifecycle has expired.
 *
 * @param until - epoch seconds: when the last of them was written
 * @returns how many were deleted
 */
export const sweepExpired = async (bucket: Bucket, until: number): Promise<number> => {
  const expired = bucket.list().filter(({ modifiedAt }) => modifiedAt <= until * 1000);
  for (const { key } of expired) await bucket.delete(key);
  return expired.length;
};
