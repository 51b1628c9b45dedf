import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SignIn } from '../test/support/form-browser.ts';

/** `npm start` in a process and a folder of its own. */
export interface LocalService extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly owner: SignIn;
}

/** @param args - of its command line; a file named there may be removed once this resolves */
export const startLocalService = async (
  args: readonly string[],
  limits: Readonly<Record<string, number>>,
): Promise<LocalService> => {
  const data = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const program = fileURLToPath(new URL('../bin/local.ts', import.meta.url));
  const child = spawn(process.execPath, [program, ...args], {
    env: { PORT: '0', HOSTED_MCP_DATA: data, HOSTED_MCP_LIMITS: JSON.stringify(limits) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const end = async () => {
    if (child.exitCode === null && child.kill('SIGINT')) await once(child, 'exit');
    await rm(data, { recursive: true });
  };
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('ready ')) {
      url = line.slice('ready '.length);
      break;
    }
  }
  if (url === '') {
    await end();
    throw new Error('the service did not start');
  }
  const owner = JSON.parse(await readFile(join(data, 'owner.json'), 'utf8')) as SignIn;
  return { url, owner, [Symbol.asyncDispose]: end };
};
