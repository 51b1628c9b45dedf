import { Aws, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** With digits of the stack's id, so that what a deleted stack left does not collide with the next one. */
export const uniqueName = (scope: Construct): string => {
  const uuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `${Stack.of(scope).stackName}-${Fn.select(0, Fn.split('-', uuid))}`;
};
