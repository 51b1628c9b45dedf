import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Alias, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type FunctionName, functions, type ScheduleManifest } from '../../lambdas/manifest.ts';
import type { Alarms } from '../monitoring/alarms.ts';
import { pascalCase } from '../pascal-case.ts';
import { retryEvents } from './retry-events.ts';

export interface SchedulesProps {
  readonly aliases: Readonly<Record<FunctionName, Alias>>;
  readonly alarms: Alarms;
  /** Commands that EventBridge could not deliver. */
  readonly undelivered: Queue;
  readonly untallied: Queue;
}

/** No role is needed: each alias lets its own rule invoke it. */
export class Schedules extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { aliases, alarms, undelivered, untallied }: SchedulesProps,
  ) {
    super(scope, id);
    alarms.whileFilled('Untallied', untallied, {
      what: 'calls could not be counted',
      runbook: 'Untallied calls',
    });
    alarms.whileFilled('UndeliveredCommands', undelivered, {
      what: 'a daily command was not delivered',
      runbook: 'Undelivered commands',
    });
    for (const name of Object.keys(functions) as FunctionName[]) {
      for (const schedule of functions[name].schedules ?? []) {
        if ('everyMinutes' in schedule) this.often(name, aliases[name], schedule);
        else this.seldom(name, aliases[name], schedule, undelivered);
      }
    }
  }

  private seldom(
    name: FunctionName,
    alias: Alias,
    { everyHours, command }: Extract<ScheduleManifest, { everyHours: number }>,
    undelivered: Queue,
  ): void {
    new Rule(this, `${pascalCase(name)}${command.operator.split('-').map(pascalCase).join('')}`, {
      description: `Hosted MCP: ${command.operator}`,
      schedule: Schedule.rate(Duration.hours(everyHours)),
      targets: [
        new LambdaFunction(alias as IFunction, {
          event: RuleTargetInput.fromObject(command),
          retryAttempts: 2,
          maxEventAge: Duration.hours(6),
          deadLetterQueue: undelivered,
        }),
      ],
    });
  }

  /** Events of `everyMinutes` are not retried: the next one does the same. */
  private often(
    name: FunctionName,
    alias: Alias,
    { everyMinutes, event }: Extract<ScheduleManifest, { everyMinutes: number }>,
  ): void {
    const own = new Construct(this, pascalCase(name));
    new Rule(own, 'Often', {
      description: `Hosted MCP: ${name}`,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [
        new LambdaFunction(alias as IFunction, {
          event: RuleTargetInput.fromObject(event),
          retryAttempts: 0,
          maxEventAge: Duration.minutes(1),
        }),
      ],
    });
    retryEvents(own, { alias, retries: 0, maxAgeSeconds: 60 });
  }
}
