import { App } from 'aws-cdk-lib';
import { fileURLToPath } from 'node:url';
import { bundle } from '../lib/bundle/index.ts';
import { dataFormats, releases } from '../lambdas/data-formats.ts';
import { checkDataFormats } from '../lib/release/data-formats.ts';
import { holdToRules } from '../lib/rules/rules.ts';
import { composeStacks } from '../lib/stacks.ts';
import { shellOf } from '../lib/stage/place.ts';
import { readStage } from '../lib/stage/stage.ts';

// `cdk synth --context stage=prod` needs neither an account nor a network: nothing is looked up on AWS.
const app = new App();
const said = (key: string): string | undefined => app.node.tryGetContext(key) as string | undefined;
const stage = readStage({
  name: said('stage'),
  path: said('config'),
  ...shellOf(process.env),
});
checkDataFormats(stage, { releases, dataFormats });
const bundles = await bundle(fileURLToPath(new URL('../dist/', import.meta.url)), {
  cache: process.env['HOSTED_MCP_LAYER_CACHE'],
});
holdToRules(app, composeStacks(app, stage, bundles));
