import { readFile } from 'node:fs/promises';

/** A kind of item as the document tells of it. */
export interface DocumentedKind {
  readonly table: string;
  /** As its heading says: `DEP#{deploymentId} RES#{name}`. */
  readonly key: string;
  /** What attributes are by their names: `S`, `S, optional`, `M by name`. Those of a map are `map.name`. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface StorageDocument {
  /** The line about keys and indexes of each table. */
  readonly tables: Readonly<Record<string, string>>;
  readonly kinds: readonly DocumentedKind[];
}

/** Reads `docs/storage.md`: a section of the second level for a table, of the third for a kind of item. */
export const readStorageDocument = async (): Promise<StorageDocument> => {
  const text = await readFile(new URL('../../docs/storage.md', import.meta.url), 'utf8');
  const sections = text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      name: section.slice(0, section.indexOf('\n')),
      line: /^Keys: .*$/m.exec(section)?.[0],
      parts: section.split(/^### /m).slice(1),
    }))
    .filter(({ line }) => line !== undefined);
  return {
    tables: Object.fromEntries(sections.map(({ name, line = '' }) => [name, line])),
    kinds: sections.flatMap(({ name, parts }) => parts.flatMap((part) => kindsIn(name, part))),
  };
};

/** One kind for each alternative of a key: `TOTALS#{RES|PROMPT}` are two. */
const kindsIn = (table: string, part: string): readonly DocumentedKind[] => {
  const heading = part.slice(0, part.indexOf('\n')).replaceAll('`', '');
  const rows = [...part.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)];
  const attributes = Object.fromEntries(rows.map(([, name = '', type = '']) => [name, type]));
  const [alternatives = ''] = /\{[^}]*\|[^}]*\}/.exec(heading) ?? [];
  const keys = alternatives
    .slice(1, -1)
    .split('|')
    .map((one) => heading.replace(alternatives, one));
  return keys.map((key) => ({ table, key, attributes }));
};
