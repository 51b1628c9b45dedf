import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../rules/fault.ts';
import { dynamoFault } from './items.ts';
import { pauseAfter, type Write } from './writes.ts';

/**
 * Writes several items, all or none.
 *
 * The SDK adds a client request token, so that a retry after a lost answer is not a second transaction.
 *
 * @param writes - by names, which identify failed conditions
 * @returns names of the writes whose condition does not hold; empty if everything was written
 * @throws Fault
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
    // A throttled transaction is cancelled too; only its reasons tell the difference.
    const failed = codes.find((code) => !isPassing(code));
    if (failed !== undefined) throw new Fault('dynamodb', failed, canceled);
    if (!(await pauseAfter(tries))) return dynamoFault(canceled);
  }
};

/** Commits writes together, all or none, such as spending a code and storing the session that it buys. */
export const dynamoTransactions = (dynamo: DynamoDBDocumentClient) => ({
  /** @returns names of the writes whose condition does not hold; then nothing is written @throws Fault */
  commit: <Name extends string>(
    writes: Readonly<Partial<Record<Name, Write>>>,
  ): Promise<ReadonlySet<Name>> => transact(dynamo, writes),
});

export type Transactions = ReturnType<typeof dynamoTransactions>;

const canceledOrFault = (cause: unknown): TransactionCanceledException =>
  cause instanceof TransactionCanceledException ? cause : dynamoFault(cause);

const isPassing = (code: string): boolean => code === 'None' || code === 'TransactionConflict';
