import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

export interface SynthesizedStack {
  readonly template: Readonly<Record<string, unknown>>;
  readonly resources: readonly Resource[];
  /** Of the first server in it. */
  readonly server: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface Synthesis {
  readonly outdir: string;
  /** What the synth says that fails. */
  readonly fault?: string;
  /** By the names that CloudFormation knows them by. */
  readonly stacks: Readonly<Record<string, SynthesizedStack>>;
}

export interface Synthesizer {
  /** @param code - of an app, as the body of a function of `require` */
  readonly synthesis: (code: string) => Promise<Synthesis>;
  readonly close: () => void;
}

/** One process for all apps, since the CDK takes a second to load: a line of JSON for each, and one back. */
const HARNESS = `
const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { code, out } = JSON.parse(line);
  process.env.CDK_OUTDIR = out;
  let fault;
  try {
    new Function('require', code)(require);
  } catch (error) {
    fault = String(error && error.message);
  }
  process.stdout.write(JSON.stringify({ synthesized: fault === undefined, fault }) + '\\n');
});
`;

export interface SynthesizerOptions {
  readonly node?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Synthesizes apps in the folder of another team, one after the other, and without an account. */
export const startSynthesizer = async (
  folder: string,
  { node = process.execPath, flags = [], env = {} }: SynthesizerOptions = {},
): Promise<Synthesizer> => {
  const own = await mkdtemp(join(folder, 'synth-'));
  await writeFile(join(own, 'harness.js'), HARNESS);
  const child = spawn(node, [...flags, join(own, 'harness.js')], {
    cwd: folder,
    // The CDK's own validation of templates, which `test/lib/rules.test.ts` has for ours, takes ten seconds to start.
    env: { PATH: process.env['PATH'], CDK_VALIDATION: 'false', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let count = 0;
  return {
    synthesis: async (code) => {
      count += 1;
      const outdir = join(own, `out-${count}`);
      child.stdin.write(`${JSON.stringify({ code, out: outdir })}\n`);
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`${node} has ended`);
        if (!value.startsWith('{"synthesized"')) continue;
        const { fault } = JSON.parse(value) as { readonly fault?: string };
        return { outdir, ...(fault === undefined ? {} : { fault }), stacks: stacksIn(outdir) };
      }
    },
    close: () => void child.kill(),
  };
};

interface Manifest {
  readonly artifacts?: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly properties?: {
          readonly templateFile?: string;
          readonly stackName?: string;
          readonly directoryName?: string;
        };
      }
    >
  >;
}

/** Those of its stages, too. */
export const stacksIn = (outdir: string): Synthesis['stacks'] => {
  const file = join(outdir, 'manifest.json');
  if (!existsSync(file)) return {};
  const { artifacts = {} } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  return Object.fromEntries(
    Object.entries(artifacts).flatMap(([id, { type, properties = {} }]) => {
      if (type === 'cdk:cloud-assembly') {
        return Object.entries(stacksIn(join(outdir, properties.directoryName ?? '')));
      }
      if (type !== 'aws:cloudformation:stack') return [];
      const text = readFileSync(join(outdir, properties.templateFile ?? ''), 'utf8');
      return [[properties.stackName ?? id, stackOf(text)] as const];
    }),
  );
};

const stackOf = (text: string): SynthesizedStack => {
  const template = JSON.parse(text) as { readonly Resources?: Readonly<Record<string, Resource>> };
  const resources = Object.values(template.Resources ?? {});
  const server = resources.find(({ Type }) => Type === 'Custom::HostedMcpServer');
  return { template: { ...template }, resources, server: server?.Properties ?? {}, text };
};

/** An app of one stack with what most tests declare servers with. */
export const appWith = (declares: string): string => `
const { App, Fn, RemovalPolicies, RemovalPolicy, SecretValue, Stack, Stage, Tags, CfnParameter } = require('aws-cdk-lib');
const { Bucket } = require('aws-cdk-lib/aws-s3');
const { Secret } = require('aws-cdk-lib/aws-secretsmanager');
const { Credential, HostedMcp, HostedMcpService, McpServer, OpenApi } = require('@hosted-mcp/cdk');
const app = new App();
const stack = new Stack(app, 'Orders', { env: { region: 'eu-central-1' } });
const token = Secret.fromSecretNameV2(stack, 'Token', 'hosted-mcp/orders');
const baseUrl = 'https://mcp.example.com/v1';
const service = new HostedMcpService(stack, 'HostedMcp', { baseUrl, token });
const openApi = OpenApi.fromAsset('examples/bookshop.yaml');
${declares}
app.synth();
`;
