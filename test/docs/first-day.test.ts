import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Listening, listening } from '../support/target/listening.ts';
import { COMMANDS } from '../../cli/commands/index.ts';
import { intentOf } from '../../cli/parse.ts';
import { stageOf } from '../../lib/stage/stage.ts';
import { placeFaults } from '../../lib/stage/place.ts';
import { type Service, startService } from '../../local/run/service.ts';
import { SAMPLE_DESCRIPTION } from '../../local/sample/index.ts';
import { bundlesOfThisRun } from '../support/aws/bundles.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { ROOT } from './documents.ts';

const PASSWORD = 'kestrel umbrella fog';
const BASE_URL = 'https://mcp.example.org/v1';

const text = await readFile(join(ROOT, 'docs/first-day.md'), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  );
const lines = blocks('sh').flatMap((block) => block.trim().split('\n'));

/**
 * What needs an AWS account, a package registry or a shell, and is told here so that a change is noticed.
 * Lines for the AWS CLI are held to its models: `aws-commands.test.ts`.
 */
const ELSEWHERE = [
  'aws ',
  'export AWS_REGION=eu-central-1',
  'npm ci',
  'npx cdk synth --quiet --context stage=prod',
  'npx cdk bootstrap',
  'npx cdk deploy --all --context stage=prod',
];
const isElsewhere = (line: string) => ELSEWHERE.some((begin) => line.startsWith(begin));

let dataFolder: string;
let service: Service;
let machine: TestMachine;
let cloudFormation: Listening;
const before = { ...process.env };

/** The stack's outputs, as CloudFormation tells them; the functions are those that run here. */
const STACK = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>HostedMcp-prod</StackName><Outputs>
<member><OutputKey>AccountsFunction</OutputKey><OutputValue>oauth:live</OutputValue></member>
<member><OutputKey>PublishFunction</OutputKey><OutputValue>management:live</OutputValue></member>
</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-first-day-'));
  service = await startService({
    port: 0,
    dataFolder,
    settings: { LIMITS: '{}' },
    ...(await bundlesOfThisRun()),
  });
  machine = await aMachineFor();
  cloudFormation = await listening(createServer((_, response) => response.end(STACK)));
  Object.assign(process.env, service.aws.environment('operator'));
  await writeFile(join(machine.folder, 'api.yaml'), await readFile(SAMPLE_DESCRIPTION));
});
afterAll(async () => {
  for (const name of Object.keys(service.aws.environment('operator'))) delete process.env[name];
  Object.assign(process.env, before);
  await cloudFormation.stop();
  await machine.remove();
  await service.close();
  await rm(dataFolder, { recursive: true });
});

/** The words of a line as a shell splits it, on this machine's service. */
const argumentsOf = (line: string): readonly string[] =>
  line
    .replace(/^npx --no-install hosted-mcp |^npm run smoke -- /, '')
    .replaceAll(BASE_URL, service.baseUrl)
    .replace('api.yaml', join(machine.folder, 'api.yaml'))
    .replace('lib/', join(ROOT, 'lib/'))
    .split(' ');

const run = async (line: string) => {
  const words = argumentsOf(line);
  const isSmoke = line.startsWith('npm run smoke');
  // The page that the tool reads must be one of this machine; nobody is there to read the mail.
  const args = isSmoke
    ? ['smoke', ...words, '--target', `${service.sampleApiUrl}/books`, '--no-mail']
    : words;
  const asked = /^(?:admin account|login|smoke)/.test(args.join(' '));
  return machine.run([...args], {
    typed: asked ? [PASSWORD, PASSWORD] : [],
    environment: { AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url, NO_COLOR: '1' },
  });
};

describe('docs/first-day.md', () => {
  test('shows commands that are run below, or need an account of AWS', () => {
    const known = lines.filter(
      (line) =>
        isElsewhere(line) ||
        line.startsWith('npx --no-install hosted-mcp ') ||
        line.startsWith('npm run smoke'),
    );

    expect(known).toEqual(lines);
    expect(ELSEWHERE.filter((begin) => !lines.some((line) => line.startsWith(begin)))).toEqual([]);
  });

  test('leads in its order to a service that works, word by word', async () => {
    const said: string[] = [];
    let remarks = '';
    for (const line of lines.filter((one) => !isElsewhere(one))) {
      const { code, out, errors } = await run(line);
      if (code !== 0) throw new Error(`${line} ended with ${code}: ${errors}${out}`);
      said.push(out);
      remarks += errors;
    }

    expect(said[0]).toContain('you@example.org has an account now');
    expect(said[1]).toContain('The service does all that was tried.');
    expect(said[1]).toContain('tidying up: what was made is gone');
    expect(remarks).not.toContain('stays until it ends unused');
    expect(said[2]).toContain('/mcp-router/canary/messages');
    expect(said[3]).toContain('Signed in at');
    expect(said[4]).toContain('/mcp-router/my-api/messages');
    expect(said[5]).toContain('claude mcp add');
    expect(said[6]).toContain('A client gets through all that was tried.');
  });

  test('leaves the tool that the canary of the file that ships will call', async () => {
    const { canary } = JSON.parse(await readFile(join(ROOT, 'config/prod.json'), 'utf8'));
    const answer = await fetch(`${service.baseUrl}/mcp-router/${canary.slug}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const { result } = (await answer.json()) as {
      result: { tools: { name: string; inputSchema: { required?: string[] } }[] };
    };

    expect(result.tools).toMatchObject([{ name: canary.tool }]);
    expect(result.tools[0]?.inputSchema.required ?? []).toEqual([]);
  });

  test('shows what to change in the file that ships, for a stack in the region of the certificate', async () => {
    const [sample = '{}'] = blocks('json');
    const shipped = await readFile(join(ROOT, 'config/prod.json'), 'utf8');
    const changed = JSON.stringify({ ...JSON.parse(shipped), ...JSON.parse(sample) });
    const stage = stageOf('prod', changed.replaceAll('example.org', 'acme.com'));

    expect(stage).toMatchObject({
      retainData: true,
      backup: true,
      releases: 'canary',
      signUp: 'closed',
      domain: { name: 'mcp.acme.com' },
    });
    expect(placeFaults(stage, { account: '111122223333', region: 'eu-central-1' })).toEqual([]);
    expect(text).toContain('export AWS_REGION=eu-central-1');
    expect(() => stageOf('prod', changed)).toThrow('a name that nobody owns');
  });

  test('names scripts and commands that there are', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));

    expect(scripts.smoke).toBe('node bin/hosted-mcp.mjs smoke');
    for (const [, line = ''] of text.matchAll(/`npx --no-install (hosted-mcp [^`]+)`/g)) {
      expect(intentOf(line.split(' ').slice(1), COMMANDS).command).toBeDefined();
    }
  });
});
