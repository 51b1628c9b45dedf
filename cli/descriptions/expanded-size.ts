/** As many characters as a description may have bytes, several times over. */
export const MAX_EXPANDED_SIZE = 50_000_000;

/**
 * About how many characters of JSON a parsed YAML document comes to: aliases of aliases make more of a
 * few lines than any machine holds. Each node is looked at once.
 */
export const expandedSize = (root: unknown): number => {
  const sizes = new Map<object, number>();
  const sizeOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return String(value).length + 2;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    // An alias within its own anchor has no end.
    sizes.set(value, Number.POSITIVE_INFINITY);
    let size = 2;
    for (const [key, member] of Object.entries(value)) size += key.length + 4 + sizeOf(member);
    sizes.set(value, size);
    return size;
  };
  return sizeOf(root);
};
