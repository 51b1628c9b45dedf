import { Aws, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** The suffix keeps what a deleted stack left from colliding with the next stack of the same name. */
export const uniqueName = (scope: Construct): string => {
  const uuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `${Stack.of(scope).stackName}-${Fn.select(0, Fn.split('-', uuid))}`;
};
