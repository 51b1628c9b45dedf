import { CfnParameter, CfnRule, Fn, type Stack } from 'aws-cdk-lib';
import { pascalCase } from './pascal-case.ts';
import type { SETTINGS } from './stage/settings.ts';

type Table = typeof SETTINGS;

/** Those that the table calls so. */
type LastingKey = {
  [Key in keyof Table]: Table[Key] extends { lasting: string } ? Key : never;
}[keyof Table];

export interface LastingSetting {
  /** What the stage's file says. */
  readonly value: string;
  /** From what it may have been changed without a word. */
  readonly mayFollow: readonly string[];
  /** What a stage has that has never said it; the value itself if omitted, so that the first deployment needs no word. */
  readonly unsaid?: string;
  /** In a sentence: what would be stranded, and what helps. */
  readonly otherwise: string;
}

/**
 * A setting whose change strands something. CloudFormation keeps its value as a parameter of the stack, which
 * `cdk deploy` leaves as it is, and holds the parameter against a rule of the new template: a change is
 * refused before anything is touched, until it is said with `--parameters` as well. Nothing else could: what
 * is synthesized knows nothing of what is deployed.
 *
 * Source: AWS CloudFormation, "Rules"; AWS CDK CLI, "cdk deploy", `--previous-parameters`.
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
