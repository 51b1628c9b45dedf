import { join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
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
 * The stacks of a stage, as `cdk deploy` of the checkout makes them: of the same names, with the same logical ids.
 *
 * @param stage - what `config/<stage>.json` says
 * @param folder - of the functions, ready-made
 * @throws Error with a sentence for each fault of the stage
 */
export const compose = (app: App, name: string, stage: object, folder: string): ComposedStacks => {
  const read = inPlace(stageOf(name, JSON.stringify(stage), `the stage ${name}`), {
    account: process.env['CDK_DEFAULT_ACCOUNT'],
    region: process.env['CDK_DEFAULT_REGION'],
  });
  checkDataFormats(read, { releases, dataFormats });
  const names = Object.keys(functions) as FunctionName[];
  const bundles = {
    layer: join(folder, 'layer'),
    functions: Object.fromEntries(names.map((one) => [one, join(folder, one)])) as Record<
      FunctionName,
      string
    >,
    network: join(folder, 'network'),
  };
  const { data, service } = composeStacks(app, read, bundles);
  return { data, service, baseUrl: service.baseUrl };
};
