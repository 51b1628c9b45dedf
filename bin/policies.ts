// `npm run policies`: writes what each function may do, as the template says it, for the local run to enforce
// and for reviewers to read.
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FunctionName, functions } from '../lambdas/manifest.ts';
import { type PoliciesByStore, withPermissionTables } from '../lib/permission-tables.ts';
import { policiesOf, policyFile, type TemplatePolicies } from '../lib/policies.ts';
import { ServiceStack } from '../lib/service-stack.ts';
import { stageOf } from '../lib/stage.ts';

const FOLDER = new URL('../local/policies/', import.meta.url);
const MAIL = { from: 'service@mail.acme.com', identity: 'mail.acme.com' };
const STACK = 'Service';

const DOCUMENT = new URL('../docs/permissions.md', import.meta.url);

/** The policies of a stage that keeps credentials in a store. */
const policiesWith = (store: keyof PoliciesByStore, folder: string): TemplatePolicies => {
  const file = { retain_data: true, mail: MAIL, credential_store: store, limits: {} };
  const bundle = join(folder, 'bundle');
  const stack = new ServiceStack(new App({ outdir: join(folder, `${store}.out`) }), STACK, {
    stage: stageOf('policies', JSON.stringify(file)),
    bundles: {
      layer: bundle,
      functions: Object.fromEntries(Object.keys(functions).map((name) => [name, bundle])) as Record<
        FunctionName,
        string
      >,
    },
  });
  const template = Template.fromStack(stack).toJSON() as Parameters<typeof policiesOf>[0];
  return policiesOf(template, { stackName: STACK, mail: MAIL });
};

const textAt = (url: URL): string => readFileSync(url, 'utf8');
const written = (url: URL, text: string): void => {
  writeFileSync(url, text);
  console.log(`${fileURLToPath(url)} is written`);
};

const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-policies-'));
try {
  // No policy depends on what functions do, so that nothing is bundled.
  mkdirSync(join(folder, 'bundle'));
  writeFileSync(join(folder, 'bundle', 'index.mjs'), '');
  const policies: PoliciesByStore = {
    'secrets-manager': policiesWith('secrets-manager', folder),
    envelope: policiesWith('envelope', folder),
  };
  for (const [store, all] of Object.entries(policies)) {
    written(new URL(`${store}.json`, FOLDER), policyFile(all));
  }
  const usedByAws = JSON.parse(textAt(new URL('used-by-aws.json', FOLDER)));
  written(DOCUMENT, withPermissionTables(textAt(DOCUMENT), policies, usedByAws));
} finally {
  rmSync(folder, { recursive: true });
}
