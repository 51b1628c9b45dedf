/** Several times the characters that a description may have. */
export const MAX_EXPANDED_SIZE = 50_000_000;

/** Estimates JSON characters, since nested YAML aliases expand beyond any memory. Visits each node once. */
export const expandedSize = (root: unknown): number => {
  const sizes = new Map<object, number>();
  const sizeOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return String(value).length + 2;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    // Size while in progress: an alias inside its own anchor never ends.
    sizes.set(value, Number.POSITIVE_INFINITY);
    let size = 2;
    for (const [key, member] of Object.entries(value)) size += key.length + 4 + sizeOf(member);
    sizes.set(value, size);
    return size;
  };
  return sizeOf(root);
};
