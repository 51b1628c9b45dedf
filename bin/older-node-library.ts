// Functions of the standard library that Node 20 lacks; `older-node.mjs` puts them into bundles.

/** Source: ECMAScript 2024, "Map.groupBy". */
export const mapGroupBy = <Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item, index: number) => Key,
): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index);
    index += 1;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

/** Source: ECMAScript 2024, "Object.groupBy". */
export const objectGroupBy = <Item>(
  items: Iterable<Item>,
  keyOf: (item: Item, index: number) => PropertyKey,
): Record<PropertyKey, Item[]> =>
  Object.assign(Object.create(null), Object.fromEntries(mapGroupBy(items, keyOf)));

/** Source: ECMAScript 2024, "Promise.withResolvers". */
export const promiseWithResolvers = <Value>() => {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<Value>((...ends) => {
    [resolve, reject] = ends;
  });
  return { promise, resolve, reject };
};

/** Source: URL Standard, "URL class", `parse`. */
export const urlParse = (url: string, base?: string): URL | null =>
  URL.canParse(url, base) ? new URL(url, base) : null;
