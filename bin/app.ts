import { App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { fileURLToPath } from 'node:url';
import { bundle } from '../lib/bundle.ts';
import { ServiceStack } from '../lib/service-stack.ts';
import { checkCertificateRegion, readStage } from '../lib/stage.ts';

// `cdk synth --context stage=prod`; nothing is looked up, so no account and no network is needed.
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

const stage = readStage(String(app.node.tryGetContext('stage') ?? 'dev'));
checkCertificateRegion(stage, process.env['CDK_DEFAULT_REGION']);
const bundles = await bundle(fileURLToPath(new URL('../dist/', import.meta.url)));
new ServiceStack(app, `HostedMcp-${stage.name}`, {
  stage,
  bundles,
  description: 'Hosted MCP: OpenAPI descriptions as remote MCP servers',
});
Tags.of(app).add('Application', 'hosted-mcp');
Tags.of(app).add('Stage', stage.name);
