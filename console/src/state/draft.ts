import { useCallback, useState } from 'preact/hooks';

const BEGINNING = 'draft:';

/**
 * Draft of a form, which survives errors, the end of a session and reloads until the tab is closed. Never for
 * secrets: passwords, credentials and tokens stay in the state of their form.
 * @param key - names the form, and its server if it has one
 * @param initial - values of fields that nobody has changed
 * @returns the values, a function that changes some, and one that drops the draft
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
