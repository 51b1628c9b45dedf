/**
 * What declaring servers costs whoever waits for it:
 *
 *   plan, apply    the command line against the local service, for twenty servers of fifty tools each: a plan where
 *                  nothing differs, and the apply of one change
 *   synth          a CDK app with ten servers of one megabyte each, the first time and again
 *
 * Goals: a plan under 2 s, an apply under 3 s, a synth under 30 s.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { run } from '../cli/run.ts';
import { openDataFolder } from '../local/run/data-folder.ts';
import { ownerToken, provisionOwner } from '../local/run/owner.ts';
import { startService } from '../local/run/service.ts';
import { description } from './fifty-tools.ts';
import { largeDescription } from './large-description.ts';
import { printTable, type Row } from './table.ts';

const SERVERS = 20;
const SYNTHESIZED = 10;
/** Operations of a description of one megabyte. */
const OPERATIONS = 96;
const LIMITS = { active_deployments_per_user: 100, management_requests_per_minute_per_user: 1e6 };
const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));

export const bench = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  try {
    const rows = [...(await ofCommandLine(folder)), ...(await ofSynth(folder))];
    printTable('declarations: what somebody waits for', ['took', 'goal'], rows);
  } finally {
    await rm(folder, { recursive: true });
  }
};

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
};

const ofCommandLine = async (folder: string): Promise<readonly Row[]> => {
  const { path, owner } = await openDataFolder(join(folder, 'data'));
  const service = await startService({ port: 0, dataFolder: path, limits: JSON.stringify(LIMITS) });
  try {
    await provisionOwner(service, owner);
    const token = (await ownerToken(service.baseUrl, owner)) ?? '';
    const hostedMcp = async (line: string, expected: number): Promise<void> => {
      const code = await run([...line.split(' '), '--file', join(folder, 'servers.yaml')], {
        environment: { HOSTED_MCP_URL: service.baseUrl },
        home: homedir(),
        stdin: Readable.from([]),
        stdout: new PassThrough().resume(),
        stderr: new PassThrough().resume(),
        fetch,
        now: () => Math.floor(Date.now() / 1000),
        token: () => Promise.resolve(token),
      });
      if (code !== expected) throw new Error(`${line} ended with ${code}`);
    };
    const declare = (name: string) => {
      const servers = Array.from({ length: SERVERS }, (_, index) => [
        `server-${index}`,
        { openapi: 'openapi.json', name: index === 0 ? name : `Server ${index}` },
      ]);
      const declaration = { version: 1, servers: Object.fromEntries(servers) };
      return writeFile(join(folder, 'servers.yaml'), JSON.stringify(declaration));
    };
    await writeFile(join(folder, 'openapi.json'), description('https://api.example.com'));
    await declare('First');
    await hostedMcp('apply --yes', 0);
    const plan = await timed(() => hostedMcp('plan', 0));
    await declare('Changed');
    const apply = await timed(() => hostedMcp('apply --yes', 0));
    return [
      [`plan of ${SERVERS} servers, nothing differs`, seconds(plan), '2 s'],
      ['apply of one change among them', seconds(apply), '3 s'],
    ];
  } finally {
    await service.close();
  }
};

const ofSynth = async (folder: string): Promise<readonly Row[]> => {
  const exec = promisify(execFile);
  // Below the checkout, where the CDK is found.
  const at = join(CHECKOUT, 'dist', `bench-${process.pid}`);
  await mkdir(at, { recursive: true });
  try {
    await exec(process.execPath, ['bin/package-cdk.mjs', '--folder', at], { cwd: CHECKOUT });
    for (let index = 0; index < SYNTHESIZED; index += 1) {
      const text = largeDescription(OPERATIONS, `https://api-${index}.example.com`);
      await writeFile(join(folder, `large-${index}.json`), text);
    }
    await writeFile(join(at, 'app.cjs'), appOf(folder));
    const synth = () =>
      exec(process.execPath, [join(at, 'app.cjs')], {
        env: { PATH: process.env['PATH'], CDK_OUTDIR: join(folder, 'cdk.out') },
      });
    const first = await timed(synth);
    const again = await timed(synth);
    return [
      [`synth with ${SYNTHESIZED} servers of 1 MB`, seconds(first), '30 s'],
      ['  again', seconds(again), ''],
    ];
  } finally {
    await rm(at, { recursive: true });
  }
};

const appOf = (folder: string): string => `
const { App, Stack } = require('aws-cdk-lib');
const { Secret } = require('aws-cdk-lib/aws-secretsmanager');
const { HostedMcpService, McpServer, OpenApi } = require('./index.js');
const app = new App();
const stack = new Stack(app, 'Large');
const token = Secret.fromSecretNameV2(stack, 'Token', 'token');
const service = new HostedMcpService(stack, 'Service', { baseUrl: 'https://mcp.example.com/v1', token });
for (let index = 0; index < ${SYNTHESIZED}; index += 1) {
  const openApi = OpenApi.fromAsset(${JSON.stringify(folder)} + '/large-' + index + '.json');
  const slug = 'large-' + index;
  new McpServer(stack, slug, { service, slug, openApi, members: { tool_mode: 'search' } });
}
app.synth();
`;
