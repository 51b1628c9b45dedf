import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

/** All that bundles are made of. Of installed packages, the lock files name the versions. */
const SOURCES = ['lambdas', 'layers', 'console', 'lib/bundle'];
const PACKAGES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'];

/** Layers that stay in the cache: those of a branch, of main, and of the change before. */
const MOST_CACHED = 4;

interface CachedLayer {
  /** Folder with layers by the hash of what they are made of. */
  readonly cache: string;
  /** Of the checkout. */
  readonly root: string;
  /** Where the layer is to be. */
  readonly layer: string;
  readonly make: () => Promise<readonly Metafile[]>;
}

/**
 * Copies the layer that was made of the same files from the cache, or makes it and adds a copy. For tests alone: a
 * package that somebody has changed where it is installed is not noticed.
 *
 * @throws Error if something was bundled that is not among what layers are known by
 */
export const cachedLayer = async ({
  cache,
  root,
  layer,
  make,
}: CachedLayer): Promise<readonly Metafile[]> => {
  const own = join(cache, hashOfSources(root));
  if (existsSync(own)) {
    // Before the copy: another process that adds a layer meanwhile removes the oldest.
    const now = new Date();
    utimesSync(own, now, now);
    cpSync(join(own, 'layer'), layer, { recursive: true });
    return parsedJson(readFileSync(join(own, METAFILES), 'utf8')) as readonly Metafile[];
  }
  const metafiles = await make();
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const unknown = inputs.find((path) => !isKnown(path));
  if (unknown !== undefined) throw new Error(`${unknown} is bundled: name it in SOURCES`);
  const making = `${own}.${process.pid}`;
  cpSync(layer, join(making, 'layer'), { recursive: true });
  writeFileSync(join(making, METAFILES), JSON.stringify(metafiles));
  try {
    renameSync(making, own);
  } catch {
    // Another process was as quick.
    rmSync(making, { recursive: true });
  }
  removeOldest(cache);
  return metafiles;
};

const METAFILES = 'metafiles.json';

const hashOfSources = (root: string): string => {
  const hash = createHash('sha256').update(process.version);
  for (const file of [...SOURCES.flatMap((name) => filesBelow(root, name)), ...PACKAGES]) {
    const path = join(root, file);
    hash.update(`\n${file}\n`).update(existsSync(path) ? readFileSync(path) : '');
  }
  return hash.digest('hex');
};

/** Modules that plugins make have paths with a colon. */
const isKnown = (path: string): boolean =>
  path.includes(':') ||
  path.includes('node_modules/') ||
  SOURCES.some((source) => path.startsWith(`${source}/`));

const filesBelow = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(root, path) : [path];
    });

const removeOldest = (folder: string): void => {
  const age = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
  const oldestLast = readdirSync(folder).toSorted(
    (one, other) => (age(other) ?? 0) - (age(one) ?? 0),
  );
  for (const name of oldestLast.slice(MOST_CACHED)) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
};
