import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useReconnected } from './action.ts';
import type { AnswerOf, ItemOf, ListOperation, Operation } from '../api/operation.ts';
import { asProblem, type Problem } from '../api/problem.ts';
import { call, type Given, readAll } from '../api/call.ts';

export interface Loaded<Value> {
  /** The value that was loaded last, also during and after a failed reload. */
  readonly value: Value | undefined;
  readonly problem: Problem | undefined;
  readonly loading: boolean;
  reload(): void;
  /** Shows the answer of a change in place of the loaded value. */
  put(value: Value): void;
}

/** Last values by key: a reopened page shows them while it loads again. */
const shown = new Map<string, unknown>();

/** @param key - another key loads anew, undefined loads nothing @param load - may show a part before all has come */
export const useLoad = <Value>(
  key: string | undefined,
  load: (show: (part: Value) => void) => Promise<Value>,
): Loaded<Value> => {
  const [state, setState] = useState<{
    readonly key: string | undefined;
    readonly value: Value | undefined;
    readonly problem?: Problem | undefined;
    readonly loading: boolean;
  }>(() => ({ key, value: shownAt<Value>(key), loading: key !== undefined }));
  const latest = useRef(load);
  latest.current = load;
  const turn = useRef(0);

  const run = useCallback(() => {
    if (key === undefined) return;
    const mine = (turn.current += 1);
    const isLatest = () => turn.current === mine;
    const show = (value: Value, loading: boolean) => {
      if (!isLatest()) return;
      if (!loading) shown.set(key, value);
      setState({ key, value, loading });
    };
    setState((before) => ({
      key,
      value: before.key === key ? before.value : shownAt<Value>(key),
      // The message stays during retries, so that it does not blink.
      problem:
        before.key === key && before.problem?.code === 'offline' ? before.problem : undefined,
      loading: true,
    }));
    latest
      .current((part) => show(part, true))
      .then(
        (value) => show(value, false),
        (error: unknown) => {
          if (!isLatest()) return;
          setState((before) => ({ ...before, problem: asProblem(error), loading: false }));
        },
      );
  }, [key]);

  useEffect(() => {
    run();
    return () => {
      turn.current += 1;
    };
  }, [run]);

  useReconnected(state.problem, run);

  const isOther = state.key !== key;
  return {
    value: isOther ? shownAt<Value>(key) : state.value,
    problem: isOther ? undefined : state.problem,
    loading: isOther || state.loading,
    reload: run,
    put: (value) => {
      turn.current += 1;
      if (key !== undefined) shown.set(key, value);
      setState({ key, value, loading: false });
    },
  };
};

export const useAnswer = <Id extends Operation>(
  key: string | undefined,
  id: Id,
  ...wants: Given<Id>
): Loaded<AnswerOf<Id>> => useLoad(key, async () => (await call(id, ...wants)).body);

/** Loads all pages of a list, and shows what has come so far. */
export const useList = <Id extends ListOperation>(
  key: string | undefined,
  id: Id,
  wants: Parameters<typeof readAll<Id>>[1],
): Loaded<readonly ItemOf<Id>[]> =>
  useLoad<readonly ItemOf<Id>[]>(key, (show) => readAll(id, wants, { come: show }));

const shownAt = <Value>(key: string | undefined): Value | undefined =>
  key === undefined ? undefined : (shown.get(key) as Value | undefined);

export const forgetShown = (beginning: string): void => {
  for (const key of shown.keys()) if (key.startsWith(beginning)) shown.delete(key);
};
