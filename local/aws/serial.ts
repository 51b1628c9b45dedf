/** Runs tasks of one key one after the other, and those of different keys side by side. */
export type Serial = <T>(key: string, task: () => Promise<T>) => Promise<T>;

export const openSerial = (): Serial => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(task, task);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
};
