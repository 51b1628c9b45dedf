import { setTimeout } from 'node:timers/promises';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Milliseconds before each retry. */
const PAUSES = [25, 50, 100, 200, 400];

/**
 * Waits before retrying a write that conflicted with a transaction on the same item, or that a partition did not take.
 * @param tries - number of such failures before this one
 * @returns false, immediately, when no retry is left
 * Source: Amazon DynamoDB Developer Guide, "Transaction conflict handling in DynamoDB".
 */
export const pauseAfter = async (tries: number): Promise<boolean> => {
  const pause = PAUSES[tries];
  if (pause === undefined) return false;
  await setTimeout(pause);
  return true;
};
