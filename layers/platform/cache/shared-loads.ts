/** Lets concurrent calls for a key share one load. */
export const sharedLoads = <Value>() => {
  const underWay = new Map<string, Promise<Value>>();

  return (key: string, load: () => Promise<Value>): Promise<Value> => {
    const loading = underWay.get(key) ?? load().finally(() => underWay.delete(key));
    underWay.set(key, loading);
    return loading;
  };
};
