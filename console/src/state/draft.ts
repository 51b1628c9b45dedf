import { useCallback, useState } from 'preact/hooks';

const BEGINNING = 'draft:';

/**
 * What somebody has typed and not yet sent. It survives errors, a session that ends, and a reload, as
 * long as this tab is open. Never for secrets: passwords, credentials and tokens stay in the state of
 * their form alone.
 *
 * @param key - names the form; one of its own for each server
 * @param initial - what fields hold that nobody has changed; may change while others are typed in
 * @returns what the fields hold, how they are changed, and how all is given up once it was sent
 */
export const useDraft = <Value extends object>(
  key: string,
  initial: Value,
): readonly [Value, (change: Partial<Value>) => void, () => void] => {
  const [state, setState] = useState(() => ({ key, typed: stored<Value>(key) }));
  const typed = state.key === key ? state.typed : stored<Value>(key);

  const change = useCallback(
    (part: Partial<Value>) =>
      setState((before) => {
        const next = { ...(before.key === key ? before.typed : stored<Value>(key)), ...part };
        keep(key, next);
        return { key, typed: next };
      }),
    [key],
  );
  const clear = useCallback(() => {
    sessionStorage.removeItem(BEGINNING + key);
    setState({ key, typed: {} });
  }, [key]);
  return [{ ...initial, ...typed }, change, clear];
};

/** Prefills a form that is opened next. */
export const fillDraft = <Value extends object>(key: string, part: Partial<Value>): void =>
  keep(key, { ...stored<Value>(key), ...part });

const stored = <Value>(key: string): Partial<Value> => {
  try {
    return JSON.parse(sessionStorage.getItem(BEGINNING + key) ?? '{}') as Partial<Value>;
  } catch {
    return {};
  }
};

/** A draft too long for the browser's storage lives as long as the page. */
const keep = (key: string, typed: object): void => {
  try {
    sessionStorage.setItem(BEGINNING + key, JSON.stringify(typed));
  } catch {
    sessionStorage.removeItem(BEGINNING + key);
  }
};
