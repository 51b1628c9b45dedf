import type { Bucket } from './bucket.ts';

/** @param until - epoch seconds; objects that were written later stay @returns how many were deleted */
export const sweepExpired = async (bucket: Bucket, until: number): Promise<number> => {
  const expired = bucket.list().filter(({ modifiedAt }) => modifiedAt <= until * 1000);
  for (const { key } of expired) await bucket.delete(key);
  return expired.length;
};
