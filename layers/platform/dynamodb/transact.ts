import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../rules/fault.ts';
import { dynamoFault } from './items.ts';
import { pauseAfter, type Write } from './writes.ts';

/**
 * Writes several items, all of them or none.
 *
 * The SDK gives each call a token, so that its repetition after a lost answer is no second transaction.
 *
 * @param writes - by names that say which condition did not hold
 * @returns the names of those whose condition does not hold; none if all is written
 * @throws Fault
 *
 * Source: Amazon DynamoDB API Reference, TransactWriteItems.
 */
export const transact = async <Name extends string>(
  dynamo: DynamoDBDocumentClient,
  writes: Readonly<Partial<Record<Name, Write>>>,
): Promise<ReadonlySet<Name>> => {
  const named = Object.entries(writes) as [Name, Write][];
  const TransactItems = named.map(([, write]) => write);
  for (let tries = 0; ; tries += 1) {
    const canceled = await dynamo
      .send(new TransactWriteCommand({ TransactItems }))
      .then(() => undefined, canceledOrFault);
    if (!canceled) return new Set();
    const codes = canceled.CancellationReasons?.map(({ Code = canceled.name }) => Code) ?? [];
    const refused = named.filter((_, index) => codes[index] === 'ConditionalCheckFailed');
    if (refused.length > 0) return new Set(refused.map(([name]) => name));
    // A transaction that was throttled is canceled as well, and only the reason says so.
    const failed = codes.find((code) => !isPassing(code));
    if (failed !== undefined) throw new Fault('dynamodb', failed, canceled);
    if (!(await pauseAfter(tries))) return dynamoFault(canceled);
  }
};

/**
 * Writes that belong together: what is spent, and what it buys. Stores say each of them; a step commits them at once,
 * so that no failure in between takes the one and leaves the other.
 */
export const dynamoTransactions = (dynamo: DynamoDBDocumentClient) => ({
  /** @returns the names of those whose condition does not hold, and then nothing is written @throws Fault */
  commit: <Name extends string>(
    writes: Readonly<Partial<Record<Name, Write>>>,
  ): Promise<ReadonlySet<Name>> => transact(dynamo, writes),
});

export type Transactions = ReturnType<typeof dynamoTransactions>;

const canceledOrFault = (cause: unknown): TransactionCanceledException =>
  cause instanceof TransactionCanceledException ? cause : dynamoFault(cause);

const isPassing = (code: string): boolean => code === 'None' || code === 'TransactionConflict';
