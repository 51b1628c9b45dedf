const PROTOTYPES = [Object, Array, String, Number, Function, RegExp, Map, Set, Promise].map(
  ({ prototype }) => ({
    prototype: prototype as object,
    keys: new Set(Reflect.ownKeys(prototype)),
  }),
);

/** @throws Error if anything was added to a built-in prototype; it is taken away again, for the next case */
export const assertPristine = (): void => {
  const added = PROTOTYPES.flatMap(({ prototype, keys }) =>
    Reflect.ownKeys(prototype)
      .filter((key) => !keys.has(key))
      .map((key) => Reflect.deleteProperty(prototype, key)),
  );
  if (added.length > 0) throw new Error('a prototype was polluted');
};

/** @throws Error if an object in a result has a prototype that its input chose */
export const assertPlain = (value: unknown, depth = 0): void => {
  if (typeof value !== 'object' || value === null || depth > 600) return;
  if (value instanceof Uint8Array) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) {
    throw new Error('a result has a strange prototype');
  }
  for (const member of Object.values(value)) assertPlain(member, depth + 1);
};
