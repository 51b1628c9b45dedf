import { execFileSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes the sources of a commit into a folder, with the packages that this checkout has installed. Their
 * files are linked, not copied, where the file system can; what a test run writes it writes elsewhere.
 */
export const copyOf = (commit: string, checkout: string, folder: string): void => {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], {
    cwd: checkout,
    maxBuffer: 1024 ** 3,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  for (const packages of ['node_modules', ...workspacePackages(checkout)]) {
    linkTree(join(checkout, packages), join(folder, packages));
  }
};

/** Packages that a workspace has beside those of the root. */
const workspacePackages = (checkout: string): readonly string[] =>
  readdirSync(join(checkout, 'layers'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(checkout, 'layers', name)).map((one) => [name, one]))
    .filter(([, one]) => one === 'node_modules')
    .map((path) => join('layers', ...path));

const linkTree = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
};

const linkOrCopy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
};
