import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rename, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { madeOnce } from '../aws/bundles.ts';

export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/**
 * A folder of another team, with the packed constructs installed beside the CDK of this checkout, and with the
 * examples. Its `package` is what was packed.
 */
export const packedApp = async (): Promise<string> => {
  const ofRun = process.env['HOSTED_MCP_TEST_BUNDLES'];
  const folder =
    ofRun === undefined
      ? join(await mkdtemp(join(tmpdir(), 'hosted-mcp-cdk-app-')), 'app')
      : `${ofRun}-cdk-app`;
  return madeOnce(folder, async (making) => {
    const modules = join(making, 'node_modules');
    await mkdir(join(modules, '@hosted-mcp'), { recursive: true });
    const pack = ['--no-warnings', 'bin/package-cdk.mjs', '--out', making];
    const { stdout } = await run(process.execPath, pack, { cwd: CHECKOUT });
    await run('tar', ['xzf', stdout.split('\n', 1)[0] ?? '', '-C', making]);
    await rename(join(making, 'package'), join(modules, '@hosted-mcp/cdk'));
    for (const name of ['aws-cdk-lib', 'constructs', '@types', 'undici-types']) {
      await symlink(join(CHECKOUT, 'node_modules', name), join(modules, name));
    }
    await cp(join(CHECKOUT, 'examples'), join(making, 'examples'), { recursive: true });
  });
};

/** Where it is installed there. */
export const installedIn = (folder: string): string => join(folder, 'node_modules/@hosted-mcp/cdk');
