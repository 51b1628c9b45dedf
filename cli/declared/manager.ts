import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Name of a declaration: its repository and the path in it; outside of a repository, or of one without a remote, the
 * machine and the path. Source: docs/declarations.md, "Who manages a server".
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

/** `github.com/acme/orders` from the remote `origin`, without its user. */
const remoteOf = (root: string): string | undefined => {
  let config: string;
  try {
    config = readFileSync(join(root, '.git', 'config'), 'utf8');
  } catch {
    return undefined;
  }
  const lines = config.split('\n').map((line) => line.trim());
  const begin = lines.indexOf('[remote "origin"]');
  const section = begin === -1 ? [] : lines.slice(begin + 1);
  const end = section.findIndex((line) => line.startsWith('['));
  const line = section.slice(0, end === -1 ? undefined : end).find((one) => /^url\s*=/.test(one));
  return line && addressOf(line.slice(line.indexOf('=') + 1).trim());
};

const addressOf = (url: string): string => {
  const [, afterScheme = url] = url.split('://');
  const [host = '', ...path] = afterScheme.slice(afterScheme.lastIndexOf('@') + 1).split('/');
  // Git also takes an scp-like form, `github.com:acme/orders`; a port is kept.
  const [name = '', first] = host.split(':');
  const isPath = first !== undefined && Number.isNaN(Number(first));
  const address = [...(isPath ? [name, first] : [host]), ...path].join('/');
  return address.endsWith('.git') ? address.slice(0, -'.git'.length) : address;
};
