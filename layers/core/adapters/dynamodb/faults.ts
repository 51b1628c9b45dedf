import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { Fault } from '../../domain/fault.ts';

/** What a call to DynamoDB ends in when it fails. Only the error's name goes into the message: its text may quote values. */
export const dynamoFault = (cause: unknown): never => {
  throw new Fault('dynamodb', cause instanceof Error ? cause.name : 'unknown error', cause);
};

/** For conditional writes: `undefined` when the condition does not hold, a Fault for everything else. */
export const undefinedUnlessMet = (cause: unknown): undefined => {
  if (cause instanceof ConditionalCheckFailedException) return undefined;
  return dynamoFault(cause);
};
