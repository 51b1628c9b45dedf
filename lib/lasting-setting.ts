import { CfnParameter, CfnRule, Fn, type Stack } from 'aws-cdk-lib';
import { pascalCase } from './pascal-case.ts';
import type { SETTINGS } from './stage/settings.ts';

type Table = typeof SETTINGS;

/** Settings whose row has `lasting`. */
type LastingKey = {
  [Key in keyof Table]: Table[Key] extends { lasting: string } ? Key : never;
}[keyof Table];

export interface LastingSetting {
  readonly value: string;
  /** Deployed values from which a change is allowed. */
  readonly mayFollow: readonly string[];
  /** Value of stages deployed before the setting existed; `value` if omitted. */
  readonly unsaid?: string;
  readonly otherwise: string;
}

/**
 * Refuses a change that would lose something, before anything is touched, unless `cdk deploy --parameters` confirms it.
 * CloudFormation keeps the value as a parameter, which a rule of the new template checks: a synthesis does not know
 * what is deployed. Source: AWS
 * CloudFormation, "Rules"; AWS CDK CLI, "cdk deploy", `--previous-parameters`.
 */
export const lastingSetting = (
  stack: Stack,
  key: LastingKey,
  { value, mayFollow, unsaid = value, otherwise }: LastingSetting,
): void => {
  const id = pascalCase(key.replaceAll('_', '-'));
  const description = `As it is deployed. A change is refused, unless it is said here: --parameters ${stack.stackName}:${id}=${value}`;
  const parameter = new CfnParameter(stack, id, { default: unsaid, description });
  new CfnRule(stack, `${id}IsAsDeployed`, {
    assertions: [
      {
        assert: Fn.conditionContains([...mayFollow], parameter.valueAsString),
        assertDescription: otherwise,
      },
    ],
  });
};
