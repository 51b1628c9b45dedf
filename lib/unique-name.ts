import { Aws, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * The stack's name and eight digits of its id. Log groups and vaults that a deleted stack left do not collide with
 * the next stack of the same name.
 */
export const uniqueName = (scope: Construct): string => {
  const uuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `${Stack.of(scope).stackName}-${Fn.select(0, Fn.split('-', uuid))}`;
};
