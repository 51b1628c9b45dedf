import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, type NagPack, NIST80053R5Checks, ServerlessChecks } from 'cdk-nag';
import { acknowledgeRules } from './acknowledgments.ts';
import type { Stacks } from '../stacks.ts';

/** Makes a synthesis fail when a resource breaks a rule, unless `reasons.ts` gives a reason. */
export const holdToRules = (app: App, stacks: Stacks): void => {
  Validations.of(app).addPlugins(...packs(app));
  acknowledgeRules(stacks);
};

/** AWS's own validation of templates, which `cdk.json` turns on, runs besides these. */
export const packs = (app: App): readonly NagPack[] => [
  new AwsSolutionsChecks(app),
  new ServerlessChecks(app),
  new NIST80053R5Checks(app),
];
