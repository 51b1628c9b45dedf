import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';

/** Files of a checkout, each with those that name it. Paths are relative to its root. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Which files name which: by import, by the door of a workspace's package, or by any other relative path
 * in quotes, so that workers and fixtures count too. Imports of types alone do not count: the type check
 * covers those.
 *
 * @param files - of the checkout; paths that lead elsewhere are ignored
 */
export const importersIn = (root: string, files: readonly string[]): Importers => {
  const known = new Set(files);
  const doors = doorsOf(root, known);
  const importers = new Map<string, Set<string>>();
  for (const file of files.filter((path) => /\.[cm]?[jt]sx?$/.test(path))) {
    for (const named of namesIn(readFileSync(join(root, file), 'utf8'))) {
      const path = named.startsWith('.') ? normalize(join(dirname(file), named)) : doors.get(named);
      if (path === undefined || !known.has(path)) continue;
      importers.set(path, (importers.get(path) ?? new Set()).add(file));
    }
  }
  return importers;
};

/** All files from which a way of imports leads to one of these, themselves among them, with its length. */
export const reaching = (
  importers: Importers,
  files: Iterable<string>,
): ReadonlyMap<string, number> => {
  const distances = new Map([...files].map((file) => [file, 0]));
  // A map takes what is added during its iteration last: the nearest come first.
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
};

const TYPE_IMPORT = /^(?:import|export) type [^;]*;$/gm;
const namesIn = (source: string): readonly string[] =>
  [...source.replace(TYPE_IMPORT, '').matchAll(/['"`]((?:\.|@)[^'"`\s]*)['"`]/g)].map(
    ([, name = '']) => name,
  );

/** What the packages of the workspaces export, by the names that are imported. */
const doorsOf = (root: string, known: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const { workspaces = [] } = read('package.json') as { readonly workspaces?: readonly string[] };
  const doors = new Map<string, string>();
  for (const folder of workspaces.filter((path) => known.has(join(path, 'package.json')))) {
    const { name, exports = {} } = read(join(folder, 'package.json')) as {
      readonly name: string;
      readonly exports?: Readonly<Record<string, string>>;
    };
    for (const [door, path] of Object.entries(exports)) {
      doors.set(join(name, door), join(folder, path));
    }
  }
  return doors;
};
