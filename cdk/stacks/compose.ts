import { join } from 'node:path';
import { Stage as CdkStage, type Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import cdk from '../../cdk.json' with { type: 'json' };
import { dataFormats, releases } from '../../lambdas/data-formats.ts';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { checkDataFormats } from '../../lib/release/data-formats.ts';
import { composeStacks } from '../../lib/stacks.ts';
import { inPlace, stageOf } from '../../lib/stage/stage.ts';

export interface ComposedStacks {
  readonly data: Stack;
  readonly service: Stack;
  readonly baseUrl: string;
}

/**
 * The stacks of a stage, as `cdk deploy` of the checkout makes them: of the same names, with the same logical ids, and
 * by the same feature flags, whatever the app has. Without those the stacks would export what they hand over to each
 * other, and CloudFormation changes no export that is in use.
 *
 * @param scope - without children
 * @param stage - what `config/<stage>.json` says
 * @param folder - of the functions, ready-made
 * @throws Error with a sentence for each fault of the stage
 *
 * Source: AWS CDK, "Feature flags"; AWS CloudFormation User Guide, "Get exported outputs".
 */
export const compose = (
  scope: Construct,
  name: string,
  stage: object,
  folder: string,
): ComposedStacks => {
  const said = JSON.stringify({ ...placeOf(scope), ...stage });
  // Whoever synthesizes need not be signed in there: an app has stages of several accounts.
  const read = inPlace(stageOf(name, said, `the stage ${name}`), {});
  checkDataFormats(read, { releases, dataFormats });
  for (const [flag, value] of Object.entries(cdk.context)) scope.node.setContext(flag, value);
  const names = Object.keys(functions) as FunctionName[];
  const bundles = {
    layer: join(folder, 'layer'),
    functions: Object.fromEntries(names.map((one) => [one, join(folder, one)])) as Record<
      FunctionName,
      string
    >,
    network: join(folder, 'network'),
  };
  const { data, service } = composeStacks(scope, read, bundles);
  return { data, service, baseUrl: service.baseUrl };
};

/** Where a stage of the CDK puts what does not say so itself. */
const placeOf = (scope: Construct) => {
  const { account, region } = CdkStage.of(scope) ?? {};
  return { account, region };
};
