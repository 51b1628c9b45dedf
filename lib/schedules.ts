import { Duration } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Alias, IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../lambdas/manifest.ts';
import { titled } from './titled.ts';

export interface SchedulesProps {
  readonly aliases: Readonly<Record<FunctionName, Alias>>;
}

/**
 * What functions are told to do again and again. There is no role: each alias lets its own rule, and no
 * other, invoke it.
 */
export class Schedules extends Construct {
  constructor(scope: Construct, id: string, { aliases }: SchedulesProps) {
    super(scope, id);
    for (const name of Object.keys(functions) as FunctionName[]) {
      for (const { everyHours, command } of functions[name].schedules ?? []) {
        new Rule(this, `${titled(name)}${command.operator.split('-').map(titled).join('')}`, {
          description: `Hosted MCP: ${command.operator}`,
          schedule: Schedule.rate(Duration.hours(everyHours)),
          targets: [
            new LambdaFunction(aliases[name] as IFunction, {
              event: RuleTargetInput.fromObject(command),
              retryAttempts: 2,
              maxEventAge: Duration.hours(6),
            }),
          ],
        });
      }
    }
  }
}
