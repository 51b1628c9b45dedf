// `npm run policies`: writes what each function may do, as the template says it, for the local run to enforce.
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FunctionName, functions } from '../lambdas/manifest.ts';
import { CREDENTIAL_STORES } from '../layers/credentials/rules/credential-stores.ts';
import { ASSUMABLE_ROLES, storesInUse } from '../local/run/policies.ts';
import { policiesOf, policyFile, type PolicyTemplate } from '../lib/permissions/policies.ts';
import { composeStacks } from '../lib/stacks.ts';
import { stageOf } from '../lib/stage/stage.ts';

const FOLDER = new URL('../local/policies/', import.meta.url);
const STORES = CREDENTIAL_STORES.flatMap((store) => [
  { store, former: undefined },
  { store, former: CREDENTIAL_STORES.find((other) => other !== store) },
]);
const MAIL = { from: 'service@mail.acme.com', identity: 'mail.acme.com' };
const { context } = JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-policies-'));
try {
  // No policy depends on what functions do, so an empty file stands for each bundle.
  const bundle = join(folder, 'bundle');
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'index.mjs'), '');
  for (const { store, former } of STORES) {
    const name = storesInUse(store, former);
    const file = {
      retain_data: true,
      region: 'us-east-1',
      // The local run has no backups, and no releases by canary.
      backup: false,
      releases: 'all_at_once',
      mail: MAIL,
      credential_store: store,
      credential_store_former: former,
      assumable_roles: [ASSUMABLE_ROLES],
    };
    const app = new App({ outdir: join(folder, `${name}.out`), context });
    // The stage has no region: the local run fills in its own.
    const stage = { ...stageOf('policies', JSON.stringify(file)), region: undefined };
    const { data, service } = composeStacks(app, stage, {
      layer: bundle,
      functions: Object.fromEntries(Object.keys(functions).map((name) => [name, bundle])) as Record<
        FunctionName,
        string
      >,
      network: bundle,
    });
    const templates = [data, service].map((stack) => Template.fromStack(stack).toJSON());
    const policies = policiesOf(templates as PolicyTemplate[], {
      stackName: data.stackName,
      mail: MAIL,
    });
    writeFileSync(new URL(`${name}.json`, FOLDER), policyFile(policies));
    console.log(`local/policies/${name}.json is written`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
