import { Aws, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * The stack's name and eight digits of its id: what a deleted stack has left under a name of its own, as log
 * groups and a vault, is not in the way of the next stack of the same name.
 */
export const uniqueName = (scope: Construct): string => {
  const uuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `${Stack.of(scope).stackName}-${Fn.select(0, Fn.split('-', uuid))}`;
};
