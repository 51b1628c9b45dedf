import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, type NagPack, NIST80053R5Checks, ServerlessChecks } from 'cdk-nag';
import { acknowledgeRules } from './acknowledgments.ts';
import type { Stacks } from '../stacks.ts';

/** Has a synthesis fail for what breaks a rule of the packs, unless `reasons.ts` says why it is right. */
export const holdToRules = (app: App, stacks: Stacks): void => {
  Validations.of(app).addPlugins(...packs(app));
  acknowledgeRules(stacks);
};

/** AWS's own validation engine looks at the templates besides: `cdk.json` turns it on. */
export const packs = (app: App): readonly NagPack[] => [
  new AwsSolutionsChecks(app),
  new ServerlessChecks(app),
  new NIST80053R5Checks(app),
];
