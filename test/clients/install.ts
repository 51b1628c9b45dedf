import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Each in a folder of its own, so that no two share a dependency. */
const folderOf = (root: string, packageName: string): string =>
  join(root, packageName.replaceAll(/[^\w.-]/g, '_'));

/**
 * Installs one package, without running what it brings for its installation.
 *
 * @param packageName - with its version, `mcp-remote@0.15.1`
 */
export const install = async (root: string, packageName: string): Promise<void> => {
  const cwd = folderOf(root, packageName);
  await mkdir(cwd, { recursive: true });
  await writeFile(join(cwd, 'package.json'), '{"private":true}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', ...options, packageName], { cwd });
};

/** The path of a file in an installed package. @throws Error if there is none such */
export const fileOf = async (root: string, packageName: string, path: string): Promise<string> => {
  const name = packageName.slice(0, packageName.lastIndexOf('@'));
  const file = join(folderOf(root, packageName), 'node_modules', name, path);
  await readFile(file);
  return file;
};
