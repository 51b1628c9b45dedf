import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MOST_OUTPUT = { maxBuffer: 100_000_000 };

/** Installs packages of Debian that are not there yet. @throws Error with what `apt-get` said */
export const installDebian = async (...packages: readonly string[]): Promise<void> => {
  const status = await Promise.all(
    packages.map((name) =>
      run('dpkg-query', ['-W', '-f', '${db:Status-Status}', name]).then(
        ({ stdout }) => stdout,
        () => '',
      ),
    ),
  );
  if (status.every((each) => each === 'installed')) return;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [command = '', ...args] = [
    ...asRoot,
    'apt-get',
    'install',
    '-y',
    '--no-install-recommends',
    ...packages,
  ];
  await run(command, args, {
    ...MOST_OUTPUT,
    // Nothing that is installed here asks, or starts by itself where Debian can keep it from that.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
};

/**
 * Unpacks packages of Debian in a folder of their own, once: for those that would register at a service elsewhere, or
 * change the machine, if they were installed.
 *
 * @returns the folder that has their `usr`
 */
export const unpackDebian = async (cache: string, packages: readonly string[]): Promise<string> => {
  const cwd = modulesFolder(cache, packages);
  const done = join(cwd, 'unpacked');
  if (await readFile(done).catch(() => undefined)) return cwd;
  await mkdir(cwd, { recursive: true });
  await run('apt-get', ['download', ...packages], { cwd, ...MOST_OUTPUT });
  for (const file of (await readdir(cwd)).filter((name) => name.endsWith('.deb'))) {
    await run('dpkg-deb', ['--extract', file, '.'], { cwd, ...MOST_OUTPUT });
  }
  await writeFile(done, '');
  return cwd;
};

/**
 * Installs packages of npm, `directus@11.3.5`, in a folder of their own, once.
 *
 * @param scripts - packages whose install scripts run
 * @param node - what runs npm, for packages that are compiled for one version of Node
 * @returns the folder of modules
 */
export const installNpm = async (
  cache: string,
  packages: readonly string[],
  scripts: readonly string[] = [],
  node: string = process.execPath,
): Promise<string> => {
  const cwd = modulesFolder(cache, packages);
  const done = join(cwd, 'installed');
  if (await readFile(done).catch(() => undefined)) return join(cwd, 'node_modules');
  await mkdir(cwd, { recursive: true });
  // npm 11 runs install scripts of these alone, older ones run all.
  const allowScripts = Object.fromEntries(scripts.map((name) => [name, true]));
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ private: true, allowScripts }));
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  if (scripts.length === 0) options.push('--ignore-scripts');
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}` };
  await run('npm', ['install', ...options, ...packages], { cwd, env, ...MOST_OUTPUT });
  await writeFile(done, '');
  return join(cwd, 'node_modules');
};

export const modulesFolder = (cache: string, packages: readonly string[]): string =>
  join(cache, packages.join('+').replaceAll(/[^\w.+-]/g, '_'));
