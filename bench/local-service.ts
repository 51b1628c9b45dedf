import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { description } from './fifty-tools.ts';

/** `npm start` with the fifty tools, in a process of its own. */
export const startLocalService = async (targetUrl: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, description(targetUrl));
  const program = fileURLToPath(new URL('../bin/launch.mjs', import.meta.url));
  const args = ['start', '--openapi', file, '--slug', 'fifty-tools', '--auth', 'none'];
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      HOSTED_MCP_DATA: join(folder, 'data'),
      HOSTED_MCP_LIMITS: '{"public_requests_per_minute_per_ip": 1000000}',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('ready ')) {
      url = line.slice('ready '.length);
      break;
    }
  }
  if (url === '') throw new Error('the service did not start');
  return {
    url,
    pid: serviceBehind(child.pid ?? 0),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`the service has ended: ${child.signalCode ?? child.exitCode}`);
      }
      child.kill('SIGINT');
      await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
};

/** What the launcher has started. */
const serviceBehind = (launcher: number): number =>
  Number(readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'utf8').trim());
