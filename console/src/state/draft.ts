import { useCallback, useState } from 'preact/hooks';

const BEGINNING = 'draft:';

/**
 * What somebody has typed and not yet sent. It survives errors, a session that ends, and a reload, as
 * long as this tab is open. **Never for secrets**: passwords, credentials and tokens stay in the state of
 * their form alone.
 *
 * @param key - names the form; one of its own for each server
 * @returns what is typed, how it is changed, and how it is given up once it was sent
 */
export const useDraft = <Value extends object>(
  key: string,
  initial: Value,
): readonly [Value, (change: Partial<Value>) => void, () => void] => {
  const [state, setState] = useState<{ key: string; value: Value }>(() => ({
    key,
    value: stored(key, initial),
  }));
  const value = state.key === key ? state.value : stored(key, initial);

  const change = useCallback(
    (part: Partial<Value>) =>
      setState((before) => {
        const from = before.key === key ? before.value : stored(key, initial);
        const next = { ...from, ...part };
        keep(key, next);
        return { key, value: next };
      }),
    [key],
  );
  const clear = useCallback(() => {
    sessionStorage.removeItem(BEGINNING + key);
    setState({ key, value: initial });
  }, [key]);
  return [value, change, clear];
};

const stored = <Value extends object>(key: string, initial: Value): Value => {
  try {
    const text = sessionStorage.getItem(BEGINNING + key);
    return text === null ? initial : { ...initial, ...(JSON.parse(text) as Value) };
  } catch {
    return initial;
  }
};

/** What is too much for the browser's storage lives as long as the page does. */
const keep = (key: string, value: object): void => {
  try {
    sessionStorage.setItem(BEGINNING + key, JSON.stringify(value));
  } catch {
    sessionStorage.removeItem(BEGINNING + key);
  }
};
