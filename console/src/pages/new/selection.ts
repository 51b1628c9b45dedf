/** An operation of a description, as far as it can be chosen. */
export interface Choosable {
  readonly method: string;
  readonly path: string;
  readonly operation_id?: string | undefined;
  readonly tags: readonly string[];
}

/** By what a choice names an operation. */
export const nameOf = ({ operation_id: id, method, path }: Choosable): string =>
  id ?? `${method.toUpperCase()} ${path}`;

/** What stands for operations without a tag in the console; never sent. */
export const UNTAGGED = '';

/** Operations by tag, in the order of the description; one with two tags stands under both. */
export const byTag = <Operation extends Choosable>(
  operations: readonly Operation[],
): ReadonlyMap<string, readonly Operation[]> => {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const tags = operation.tags.length > 0 ? operation.tags : [UNTAGGED];
    for (const tag of tags) {
      const group = groups.get(tag);
      if (group) group.push(operation);
      else groups.set(tag, [operation]);
    }
  }
  return groups;
};

/**
 * A choice in few words: tags whose operations are all chosen, then the others one by one. A tag holds for
 * operations that later versions bring, too.
 *
 * @returns undefined for all of them
 */
export const includeOf = (
  operations: readonly Choosable[],
  chosen: ReadonlySet<string>,
): readonly string[] | undefined => {
  if (operations.every((one) => chosen.has(nameOf(one)))) return undefined;
  const left = new Set(operations.map(nameOf).filter((name) => chosen.has(name)));
  const tags: string[] = [];
  for (const [tag, group] of byTag(operations)) {
    const names = group.map(nameOf);
    const isWhole = tag !== UNTAGGED && names.every((name) => chosen.has(name));
    if (!isWhole || !names.some((name) => left.has(name))) continue;
    tags.push(`tag:${tag}`);
    for (const name of names) left.delete(name);
  }
  return [...tags, ...left];
};
