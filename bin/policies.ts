// `npm run policies`: writes what each function may do, as the template says it, for the local run to enforce.
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FunctionName, functions } from '../lambdas/manifest.ts';
import { policiesOf, policyFile, type PolicyTemplate } from '../lib/permissions/policies.ts';
import { composeStacks } from '../lib/stacks.ts';
import { stageOf } from '../lib/stage/stage.ts';

const FOLDER = new URL('../local/policies/', import.meta.url);
const MAIL = { from: 'service@mail.acme.com', identity: 'mail.acme.com' };
const { context } = JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-policies-'));
try {
  // No policy depends on what functions do, so that nothing is bundled.
  const bundle = join(folder, 'bundle');
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'index.mjs'), '');
  for (const store of ['secrets-manager', 'envelope']) {
    const file = { retain_data: true, mail: MAIL, credential_store: store, limits: {} };
    const app = new App({ outdir: join(folder, `${store}.out`), context });
    const { data, service } = composeStacks(app, stageOf('policies', JSON.stringify(file)), {
      layer: bundle,
      functions: Object.fromEntries(Object.keys(functions).map((name) => [name, bundle])) as Record<
        FunctionName,
        string
      >,
    });
    const templates = [data, service].map((stack) => Template.fromStack(stack).toJSON());
    const policies = policiesOf(templates as PolicyTemplate[], {
      stackName: data.stackName,
      mail: MAIL,
    });
    writeFileSync(new URL(`${store}.json`, FOLDER), policyFile(policies));
    console.log(`local/policies/${store}.json is written`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
