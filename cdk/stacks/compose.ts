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
 * Makes a stage's stacks as the checkout does, whatever feature flags the app has: with others they would export what
 * they hand to each other, and CloudFormation changes no export in use. Source: AWS CDK, "Feature flags"; AWS
 * CloudFormation User Guide, "Get exported outputs".
 * @param scope - without children
 * @param folder - with the bundled functions
 * @throws Error with a sentence for each fault of the stage
 */
export const compose = (
  scope: Construct,
  name: string,
  stage: object,
  folder: string,
): ComposedStacks => {
  const said = JSON.stringify({ ...placeOf(scope), ...stage });
  // The shell's credentials are not asked, since an app has stages of several accounts.
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

const placeOf = (scope: Construct) => {
  const { account, region } = CdkStage.of(scope) ?? {};
  return { account, region };
};
