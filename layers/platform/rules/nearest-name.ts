/** The name most similar to a wrong one. @returns undefined if more than a third would have to change */
export const nearestName = (wrong: string, names: readonly string[]): string | undefined => {
  const [nearest] = names
    .map((name) => ({ name, edits: editsBetween(wrong, name) }))
    .toSorted((one, other) => one.edits - other.edits);
  return nearest && nearest.edits * 3 <= nearest.name.length ? nearest.name : undefined;
};

/** Levenshtein distance: letters to insert, delete or replace. */
const editsBetween = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};
