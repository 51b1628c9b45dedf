// What the rules find in some stages, as JSON. A process of its own: loading all of the CDK takes the test
// runner four times as long as Node.
import { App } from 'aws-cdk-lib';
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acknowledgeRules } from '../../../lib/rules/acknowledgments.ts';
import { holdToRules, packs } from '../../../lib/rules/rules.ts';
import { composeStacks, type Stacks } from '../../../lib/stacks.ts';
import type { Stage } from '../../../lib/stage/stage.ts';
import { context, deployedWith, PROD, shortBundles, STAGES } from './synthesized.ts';

const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-rules-'));

const compose = (name: string, stage: Stage): { app: App } & Stacks => {
  const outdir = join(folder, name);
  const app = new App({ outdir, context, treeMetadata: false });
  return { app, ...composeStacks(app, stage, shortBundles(join(outdir, 'bundles'))) };
};

/** What AWS's engine has found, and the packs have without any reason, beside what has a reason. */
const findings = ([name, stage]: [string, Stage]) => {
  const { app, ...stacks } = compose(name, stage);
  const { directory } = app.synth();
  const text = readFileSync(join(directory, 'validation-report.json'), 'utf8');
  const { pluginReports } = JSON.parse(text) as Report;
  return {
    name,
    engine: pluginReports.flatMap(({ violations = [] }) => violations),
    packs: packs(app)
      .flatMap((pack) => pack.validateScope(app).violations)
      .flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${constructPath} ${ruleName}`),
      )
      .toSorted(),
    reasons: acknowledgeRules(stacks)
      .map(([path, rule]) => `${path} ${rule}`)
      .toSorted(),
  };
};

interface Report {
  readonly pluginReports: readonly { readonly violations?: readonly unknown[] }[];
}

/** What a synthesis is refused with that has a bucket which breaks rules, and a property that AWS does not know. */
const refusal = (): string => {
  const { app, ...stacks } = compose('refused', PROD);
  holdToRules(app, stacks);
  new CfnBucket(stacks.service, 'Open');
  const [alarm] = stacks.service.node.findAll().filter((node) => node instanceof CfnAlarm);
  alarm?.addPropertyOverride('Treshold', 1);
  try {
    app.synth();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

/** What is there for two options together. */
const PASSING = deployedWith({
  retain_data: false,
  backup: false,
  releases: 'all_at_once',
  stream: { to: 'own' },
});
const stages = { ...STAGES, 'prod that keeps nothing of a stream': PASSING };

const found = { stages: Object.entries(stages).map(findings), refusal: refusal() };
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify(found));
