/** More would take longer than to read the case as it is. */
const MOST_TRIES = 400;
const MOST_MS = 5000;

type Holds = (input: Uint8Array) => Promise<boolean>;

/** Whether the same still holds, as long as there is time to look. */
interface Still {
  (smaller: () => Uint8Array): Promise<boolean>;
  readonly isOver: () => boolean;
}

/**
 * A smaller input of which the same holds: parts are left out, as long as it does. JSON is made smaller
 * member by member, anything else in halves, quarters and so on.
 */
export const minimized = async (input: Uint8Array, holds: Holds): Promise<Uint8Array> => {
  let tries = MOST_TRIES;
  const started = performance.now();
  const isOver = () => tries <= 0 || performance.now() - started >= MOST_MS;
  const still: Still = Object.assign(
    async (smaller: () => Uint8Array) => {
      tries -= 1;
      return !isOver() && holds(smaller());
    },
    { isOver },
  );
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

const ofTree = async (given: { readonly root: unknown }, still: Still): Promise<Uint8Array> => {
  const holder: Record<string, unknown> = { root: given.root };
  const shrink = async (node: Record<string, unknown> | unknown[]): Promise<void> => {
    for (const key of Object.keys(node).toReversed()) {
      // Of a large tree it takes long to leave out each of its members.
      if (still.isOver()) return;
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
  still: Still,
): Promise<boolean> => {
  const before = Array.isArray(node) ? [...node] : { ...node };
  if (Array.isArray(node)) node.splice(Number(key), 1);
  else delete node[key];
  if (await still(() => bytesOf(holder['root']))) return true;
  if (Array.isArray(node)) node.splice(0, node.length, ...(before as unknown[]));
  // At its old place again: `__proto__` is a key like any other here.
  else for (const [name, value] of Object.entries(before)) restore(node, name, value);
  return false;
};

const restore = (node: object, key: string, value: unknown): void => {
  Reflect.deleteProperty(node, key);
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
};

const ofBytes = async (input: Uint8Array, still: Still): Promise<Uint8Array> => {
  let bytes = input;
  for (let size = bytes.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < bytes.length;) {
      if (still.isOver()) return bytes;
      const smaller = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
      if (await still(() => smaller)) bytes = smaller;
      else at += size;
    }
  }
  return bytes;
};
