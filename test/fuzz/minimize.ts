/** More would take longer than to read the case as it is. */
const MOST_TRIES = 400;
const MOST_MS = 5000;

type Holds = (input: Uint8Array) => Promise<boolean>;

/**
 * A smaller input of which the same holds: parts are left out, as long as it does. JSON is made smaller
 * member by member, anything else in halves, quarters and so on.
 */
export const minimized = async (input: Uint8Array, holds: Holds): Promise<Uint8Array> => {
  let tries = MOST_TRIES;
  const started = performance.now();
  const still: Holds = async (smaller) => {
    tries -= 1;
    return tries > 0 && performance.now() - started < MOST_MS && holds(smaller);
  };
  const tree = parsed(input);
  return tree === undefined ? ofBytes(input, still) : ofTree(tree, still);
};

const parsed = (input: Uint8Array): { readonly root: unknown } | undefined => {
  try {
    return { root: JSON.parse(Buffer.from(input).toString('utf8')) };
  } catch {
    return undefined;
  }
};

const bytesOf = (root: unknown): Uint8Array => Buffer.from(JSON.stringify(root));

const ofTree = async (given: { readonly root: unknown }, still: Holds): Promise<Uint8Array> => {
  const holder: Record<string, unknown> = { root: given.root };
  const shrink = async (node: Record<string, unknown> | unknown[]): Promise<void> => {
    for (const key of Object.keys(node).toReversed()) {
      const value = (node as Record<string, unknown>)[key];
      if (node !== holder && (await withoutKey(node, key, holder, still))) continue;
      if (typeof value === 'object' && value !== null)
        await shrink(value as Record<string, unknown>);
    }
  };
  await shrink(holder);
  return bytesOf(holder['root']);
};

/** Leaves a member out, for good if the same holds then. */
const withoutKey = async (
  node: Record<string, unknown> | unknown[],
  key: string,
  holder: Record<string, unknown>,
  still: Holds,
): Promise<boolean> => {
  const before = Array.isArray(node) ? [...node] : { ...node };
  if (Array.isArray(node)) node.splice(Number(key), 1);
  else delete node[key];
  if (await still(bytesOf(holder['root']))) return true;
  if (Array.isArray(node)) node.splice(0, node.length, ...(before as unknown[]));
  // At its old place again: `__proto__` is a key like any other here.
  else for (const [name, value] of Object.entries(before)) restore(node, name, value);
  return false;
};

const restore = (node: object, key: string, value: unknown): void => {
  Reflect.deleteProperty(node, key);
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
};

const ofBytes = async (input: Uint8Array, still: Holds): Promise<Uint8Array> => {
  let bytes = input;
  for (let size = bytes.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < bytes.length;) {
      const smaller = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
      if (await still(smaller)) bytes = smaller;
      else at += size;
    }
  }
  return bytes;
};
