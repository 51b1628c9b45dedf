import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
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
  linkTree(join(checkout, 'node_modules'), join(folder, 'node_modules'));
  const [packages] = workspacesOf(checkout).filter((path) => existsSync(path));
  if (packages === undefined) return;
  for (const place of workspacesOf(folder)) linkTree(packages, place);
};

/** Where workspaces have packages beside those of the root. */
const workspacesOf = (root: string): readonly string[] => {
  const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return workspaces.map((path: string) => join(root, path, 'node_modules'));
};

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
