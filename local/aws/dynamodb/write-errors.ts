import { AwsError } from '../wire/aws-error.ts';
import type { Json } from '../wire/json.ts';
import { canceled } from './transact-write-items.ts';

/** Source: Amazon DynamoDB Developer Guide, "Transaction conflict handling in DynamoDB". */
export const conflictError = (operation: string, input: Json): AwsError | undefined => {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return new AwsError(
        'com.amazonaws.dynamodb.v20120810#TransactionConflictException',
        'Transaction is ongoing for the item',
      );
    case 'TransactWriteItems':
      return canceledFor(input, 'TransactionConflict', 'Transaction is ongoing for the item');
  }
  return undefined;
};

/** Source: Amazon DynamoDB API Reference, "TransactWriteItems", "Errors". */
export const throttleError = (operation: string, input: Json): AwsError | undefined =>
  operation === 'TransactWriteItems'
    ? canceledFor(input, 'ThrottlingError', 'Throughput exceeds the current capacity')
    : undefined;

/** A cancelled transaction whose first action is to blame. */
const canceledFor = (
  input: Json,
  Code: 'ThrottlingError' | 'TransactionConflict',
  Message: string,
): AwsError => {
  const [, ...others] = input['TransactItems'] as readonly unknown[];
  return canceled([{ Code, Message }, ...others.map(() => ({ Code: 'None' }) as const)]);
};
