import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Has a synthesis fail for what breaks a rule of these packs without a reason in `acknowledgments.ts`. */
export const holdToRules = (app: App): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
};
