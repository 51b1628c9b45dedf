import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type FunctionName, functions } from '../../../lambdas/manifest.ts';
import type { Bundles } from '../../../lib/bundle/index.ts';
import { composeStacks } from '../../../lib/stacks.ts';
import { readStage, type Stage, stageOf } from '../../../lib/stage/stage.ts';
import { pascalCase } from '../../../lib/pascal-case.ts';
import { type File, OPTION_FILES } from './options.ts';

export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
  readonly Principal?: unknown;
}

/** What CloudFormation would get of a stage. */
export interface Synthesized {
  readonly data: Template;
  readonly service: Template;
  /** Of stages with `edge`. */
  readonly firewall?: Template;
  readonly edgeAlarms?: Template;
  /** Settings of functions, by the names of their files. */
  readonly settings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Names of the stacks above, each with those that are deployed before it. */
  readonly deployedAfter: Readonly<Record<string, readonly string[]>>;
}

/** `config/prod.json` with what whoever deploys writes into it, and some options. */
export const deployedWith = (options: Partial<File> = {}): Stage =>
  stageOf(
    'prod',
    JSON.stringify({
      ...JSON.parse(readFileSync(new URL('../../../config/prod.json', import.meta.url), 'utf8')),
      region: 'eu-central-1',
      mail: { from: 'hosted-mcp@mail.acme.com', identity: 'mail.acme.com' },
      ...options,
    }),
  );

const DEPLOYED = deployedWith();

/** The same with pseudo parameters for its region, which most tests look for. */
export const PROD: Stage = { ...DEPLOYED, region: undefined };

/** It behind CloudFront. */
export const AT_THE_EDGE: Stage = {
  ...DEPLOYED,
  domain: {
    name: 'mcp.acme.com',
    certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/1',
  },
  edge: {
    requestsPerFiveMinutes: 30_000,
    originSecrets: [1, 2],
    managedRules: {},
    firewallLog: false,
  },
};

/** It with two private networks. */
export const WITH_NETWORKS: Stage = {
  ...PROD,
  networks: [
    {
      name: 'orders',
      vpc: 'vpc-0123456789abcdef0',
      subnets: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
      securityGroups: ['sg-0123456789abcdef0'],
      hosts: ['*.orders.internal'],
      ranges: ['10.20.0.0/16'],
      http: false,
      executions: 50,
      domains: ['acme.com'],
      certificateAuthorities: [],
    },
    {
      name: 'on-premises',
      vpc: 'vpc-0123456789abcdef1',
      subnets: ['subnet-0123456789abcdef2', 'subnet-0123456789abcdef3'],
      securityGroups: ['sg-0123456789abcdef1'],
      hosts: ['erp.corp.acme.com'],
      ranges: ['10.30.0.0/16', 'fd12:3456::/32'],
      http: true,
      executions: 5,
      certificateAuthorities: [],
    },
  ],
};

/** Stages of every option in each of its forms. */
export const OPTION_STAGES: readonly (readonly [name: string, stage: Stage])[] = OPTION_FILES.map(
  (options, index) => [`prod with options ${index + 1}`, deployedWith(options)],
);

export const STAGES: Readonly<Record<string, Stage>> = {
  dev: readStage({ name: 'dev' }),
  prod: PROD,
  ...Object.fromEntries(OPTION_STAGES),
};

export const { context } = JSON.parse(
  readFileSync(new URL('../../../cdk.json', import.meta.url), 'utf8'),
) as { context: Record<string, unknown> };

/** The templates of a stage as JSON, by the names of their stacks here. */
interface Written {
  readonly templates: Readonly<Record<string, Record<string, unknown>>>;
  readonly deployedAfter: Synthesized['deployedAfter'];
  readonly settings: Synthesized['settings'];
}

const made = new Map<string, Synthesized>();

/**
 * The stacks of a stage, with the settings of `cdk.json`. No template depends on what a bundle holds, so
 * that functions have short ones here; the gate `cdk synth` makes the real ones, and so does the test
 * that runs them. Each stage is made once in a run of the tests.
 *
 * @param layer - what is in the layer
 */
export const synthesized = (
  overrides: Partial<Stage> = {},
  of = PROD,
  layer = '// layer',
): Synthesized => {
  const stage = { ...of, ...overrides };
  const key = JSON.stringify([stage, layer]);
  const synthesis = made.get(key) ?? read(writtenOnce(key, () => synthesize(stage, layer)));
  made.set(key, synthesis);
  return synthesis;
};

/** Another test file of this run may have written them. */
const writtenOnce = (key: string, synthesis: () => Written): Written => {
  const ofRun = process.env['HOSTED_MCP_TEST_SYNTHESES'];
  if (ofRun === undefined) return synthesis();
  const file = join(ofRun, createHash('sha256').update(key).digest('hex'));
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Written;
  const written = synthesis();
  mkdirSync(ofRun, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(written));
  renameSync(`${file}.${process.pid}`, file);
  return written;
};

const read = ({ templates, ...others }: Written): Synthesized => {
  const { data, service, firewall, edgeAlarms } = templates;
  return {
    data: Template.fromJSON(data ?? {}),
    service: Template.fromJSON(service ?? {}),
    ...(firewall && { firewall: Template.fromJSON(firewall) }),
    ...(edgeAlarms && { edgeAlarms: Template.fromJSON(edgeAlarms) }),
    ...others,
  };
};

const synthesize = (stage: Stage, layer: string): Written => {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-synth-'));
  try {
    const app = new App({
      outdir: join(folder, 'cdk.out'),
      context,
      treeMetadata: false,
      // Rules have a test of their own.
      builtinCloudFormationValidation: false,
    });
    const stacks = composeStacks(app, stage, shortBundles(folder, layer));
    const all = Object.entries<Stack>({ ...stacks });
    return {
      templates: Object.fromEntries(
        all.map(([name, stack]) => [name, Template.fromStack(stack).toJSON()]),
      ),
      deployedAfter: Object.fromEntries(
        all.map(([, stack]) => [
          stack.stackName,
          stack.dependencies.map(({ stackName }) => stackName),
        ]),
      ),
      settings: settingsIn(app.assetOutdir),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const settingsIn = (assets: string): Synthesized['settings'] =>
  Object.fromEntries(
    readdirSync(assets, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\/settings-\w+\.json$/.test(path))
      .map((path) => [basename(path), JSON.parse(readFileSync(join(assets, path), 'utf8'))]),
  );

/** Folders that a synthesis takes for bundles. */
export const shortBundles = (folder: string, layer = '// layer'): Bundles => {
  const bundleOf = (name: string, content = `// ${name}`) => {
    const path = join(folder, 'dist', name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'index.mjs'), content);
    return path;
  };
  return {
    layer: bundleOf('layer', layer),
    functions: Object.fromEntries(
      Object.keys(functions).map((name) => [name, bundleOf(name)]),
    ) as Record<FunctionName, string>,
    network: bundleOf('network'),
  };
};

/** Variables of a function as it reads them, by the beginning of its logical id: those of its file, too. */
export const variablesOf = (
  { service, settings }: Synthesized,
  idPrefix: string,
): Readonly<Record<string, unknown>> => {
  const functionsOfStack = Object.entries(service.findResources('AWS::Lambda::Function'));
  const [, found] = functionsOfStack.find(([id]) => id.startsWith(idPrefix)) ?? [];
  const { SETTINGS_FILE, ...others } = (found?.['Properties'].Environment?.Variables ??
    {}) as Record<string, unknown>;
  return { ...others, ...settings[String(SETTINGS_FILE)] };
};

/** All statements of the identity policies attached to one function's role. */
export const grantsOf = ({ service }: Synthesized, name: string): readonly Statement[] => {
  const policies = Object.entries(service.findResources('AWS::IAM::Policy'));
  const [, policy] =
    policies.find(([id]) => id.startsWith(`Functions${pascalCase(name)}Grants`)) ?? [];
  return (policy?.['Properties'].PolicyDocument.Statement ?? []) as Statement[];
};

/** Every allowing statement of every identity policy of a function. */
export const allGrants = ({ service }: Synthesized): readonly Statement[] =>
  Object.entries(service.findResources('AWS::IAM::Policy'))
    .filter(([id]) => id.startsWith('Functions'))
    .flatMap(([, policy]) => policy['Properties'].PolicyDocument.Statement as Statement[]);
