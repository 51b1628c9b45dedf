import { App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../lib/bundle.ts';
import { ServiceStack } from '../../lib/service-stack.ts';
import { type Stage, stageOf } from '../../lib/stage.ts';

export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
  readonly Principal?: unknown;
}

/** `config/prod.json` with an identity of somebody, as whoever deploys writes it. */
const PROD = JSON.stringify({
  ...JSON.parse(readFileSync(new URL('../../config/prod.json', import.meta.url), 'utf8')),
  mail: { from: 'hosted-mcp@mail.acme.com', identity: 'mail.acme.com' },
});

/** The stack of a stage as CloudFormation would get it, made from the real bundles. */
export const synthesized = async (overrides: Partial<Stage> = {}): Promise<Template> => {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-synth-'));
  try {
    const app = new App({ outdir: join(folder, 'cdk.out') });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const stack = new ServiceStack(app, 'Service', {
      stage: { ...stageOf('prod', PROD), ...overrides },
      bundles: await bundle(join(folder, 'dist')),
    });
    return Template.fromStack(stack);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** All statements of the identity policies attached to one function's role. */
export const grantsOf = (template: Template, functionName: string): readonly Statement[] => {
  const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
  const [, policy] = policies.find(([id]) => id.startsWith(`Functions${functionName}Grants`)) ?? [];
  return (policy?.['Properties'].PolicyDocument.Statement ?? []) as Statement[];
};

/** Every allowing statement of every identity policy. */
export const allGrants = (template: Template): readonly Statement[] =>
  Object.values(template.findResources('AWS::IAM::Policy')).flatMap(
    (policy) => policy['Properties'].PolicyDocument.Statement as Statement[],
  );
