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
    case 'TransactWriteItems': {
      const [, ...others] = input['TransactItems'] as readonly unknown[];
      return canceled([
        { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
        ...others.map(() => ({ Code: 'None' }) as const),
      ]);
    }
  }
  return undefined;
};
