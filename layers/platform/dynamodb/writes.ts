import { setTimeout } from 'node:timers/promises';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

/** A write of one item, to be committed together with others. */
export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Milliseconds before each further try. */
const PAUSES = [25, 50, 100, 200, 400];

/**
 * Waits before a write is tried again that met a transaction on the same item.
 *
 * @param tries - how often it has met one before
 * @returns false, at once, after the last try
 *
 * Source: Amazon DynamoDB Developer Guide, "Transaction conflict handling in DynamoDB".
 */
export const pauseAfter = async (tries: number): Promise<boolean> => {
  const pause = PAUSES[tries];
  if (pause === undefined) return false;
  await setTimeout(pause);
  return true;
};
