import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { faultOf } from '../aws/access.ts';

export const dynamoFault = faultOf('dynamodb');

/** For conditional writes: `undefined` when the condition does not hold, a Fault for everything else. */
export const undefinedUnlessMet = (cause: unknown): undefined => {
  if (cause instanceof ConditionalCheckFailedException) return undefined;
  return dynamoFault(cause);
};
