import type { SearchedOperation } from './search-index.ts';

/** A tag of an API, or the first part of paths, with the number of its operations. */
export interface Area {
  readonly name: string;
  readonly count: number;
}

/** Areas of an API, sorted by size, then by order in the description. */
export const areasOf = (operations: readonly SearchedOperation[]): readonly Area[] => {
  const counts = new Map<string, number>();
  for (const name of operations.flatMap(({ areas }) => areas)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count);
};

/** As many areas as fit, largest first: `issues (40), users (12) and 7 more`. */
export const areasInWords = (areas: readonly Area[], maxCharacters: number): string => {
  const words: string[] = [];
  let characters = 0;
  for (const { name, count } of areas) {
    const word = `${name} (${count})`;
    characters += word.length + 2;
    if (characters > maxCharacters) break;
    words.push(word);
  }
  const more = areas.length - words.length;
  return `${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
