import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * What a declaration is known by, wherever it is applied from: its repository and the path there; outside of one, the
 * machine and the path.
 *
 * Source: docs/declarations.md, "Who manages a server".
 */
export const managerOf = (file: string): string => {
  const path = resolve(file);
  const root = repositoryOf(dirname(path));
  const remote = root && remoteOf(root);
  return root && remote
    ? `${remote}:${relative(root, path).split(sep).join('/')}`
    : `${hostname()}:${path}`;
};

const repositoryOf = (folder: string): string | undefined => {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
};

/** `github.com/acme/orders` of the remote `origin`, without who signs in there. */
const remoteOf = (root: string): string | undefined => {
  let config: string;
  try {
    config = readFileSync(join(root, '.git', 'config'), 'utf8');
  } catch {
    return undefined;
  }
  const url = /^\[remote "origin"\]\s*$[^[]*?^\s*url\s*=\s*(\S+)\s*$/m.exec(config)?.[1];
  return url
    ?.replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^/@]*@/, '')
    .replace(/^([\w.-]+):(?!\d)/, '$1/')
    .replace(/\.git$/, '');
};
