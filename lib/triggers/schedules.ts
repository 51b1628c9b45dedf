import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Alias, IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import type { Alarms } from '../monitoring/alarms.ts';
import { pascalCase } from '../pascal-case.ts';

export interface SchedulesProps {
  readonly aliases: Readonly<Record<FunctionName, Alias>>;
  readonly alarms: Alarms;
  /** Keeps what never reached its function. */
  readonly undelivered: Queue;
}

/**
 * What functions are told to do again and again. There is no role: each alias lets its own rule, and no
 * other, invoke it. What EventBridge could not hand over waits in a queue, with an alarm.
 */
export class Schedules extends Construct {
  constructor(scope: Construct, id: string, { aliases, alarms, undelivered }: SchedulesProps) {
    super(scope, id);
    alarms.whileFilled('UndeliveredCommands', undelivered, {
      what: 'a daily command was not delivered',
      runbook: 'Undelivered commands',
    });
    for (const name of Object.keys(functions) as FunctionName[]) {
      for (const { everyHours, command } of functions[name].schedules ?? []) {
        new Rule(
          this,
          `${pascalCase(name)}${command.operator.split('-').map(pascalCase).join('')}`,
          {
            description: `Hosted MCP: ${command.operator}`,
            schedule: Schedule.rate(Duration.hours(everyHours)),
            targets: [
              new LambdaFunction(aliases[name] as IFunction, {
                event: RuleTargetInput.fromObject(command),
                retryAttempts: 2,
                maxEventAge: Duration.hours(6),
                deadLetterQueue: undelivered,
              }),
            ],
          },
        );
      }
    }
  }
}

/** Commands of schedules, walks of the canary and news of mails that EventBridge could not hand over. */
export const undeliveredCommandsQueue = (scope: Construct): Queue =>
  new Queue(scope, 'UndeliveredCommands', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
