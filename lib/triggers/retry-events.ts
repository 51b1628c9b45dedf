import { Fn } from 'aws-cdk-lib';
import { type Alias, CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export interface RetryEventsProps {
  readonly alias: Alias;
  readonly retries: number;
  readonly maxAgeSeconds: number;
  readonly failed?: Queue;
}

export const retryEvents = (scope: Construct, props: RetryEventsProps): void => {
  const { alias, retries, maxAgeSeconds, failed } = props;
  new CfnEventInvokeConfig(scope, 'Retries', {
    functionName: alias.lambda.functionName,
    // The qualifier comes from the alias's ARN, so that CloudFormation makes the alias first: Lambda refuses unknown
    // ones.
    qualifier: Fn.select(7, Fn.split(':', alias.functionArn)),
    maximumRetryAttempts: retries,
    maximumEventAgeInSeconds: maxAgeSeconds,
    ...(failed && { destinationConfig: { onFailure: { destination: failed.queueArn } } }),
  });
};
