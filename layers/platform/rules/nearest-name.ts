/**
 * The one of some names that a wrong one was most likely meant to be.
 *
 * @returns undefined where more than a third of it would have to change
 */
export const nearestName = (wrong: string, names: readonly string[]): string | undefined => {
  const [nearest] = names
    .map((name) => ({ name, edits: editsBetween(wrong, name) }))
    .toSorted((one, other) => one.edits - other.edits);
  return nearest && nearest.edits * 3 <= nearest.name.length ? nearest.name : undefined;
};

/** Letters to add, drop or replace. Source: V. Levenshtein, "Binary codes capable of correcting deletions", 1966. */
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
