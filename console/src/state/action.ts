import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/problem.ts';

export interface Action<Arguments extends readonly unknown[]> {
  readonly running: boolean;
  readonly problem: Problem | undefined;
  /** @returns whether it was done */
  run(...given: Arguments): Promise<boolean>;
  clear(): void;
}

/** An action that runs once at a time, with its last failure. */
export const useAction = <Arguments extends readonly unknown[]>(
  act: (...given: Arguments) => Promise<unknown>,
): Action<Arguments> => {
  const [state, setState] = useState<{ running: boolean; problem?: Problem }>({ running: false });
  return {
    running: state.running,
    problem: state.problem,
    run: async (...given) => {
      if (state.running) return false;
      setState({ running: true });
      try {
        await act(...given);
        setState({ running: false });
        return true;
      } catch (error) {
        setState({ running: false, problem: asProblem(error) });
        return false;
      }
    },
    clear: () => setState({ running: false }),
  };
};

/**
 * Something that may be wanted anew before it is done: the latest counts. Whatever an earlier one finds is of
 * what nobody has chosen any more.
 *
 * @param act - asks `isLatest` before it shows what it found
 */
export const useLatestAction = <Arguments extends readonly unknown[]>(
  act: (isLatest: () => boolean, ...given: Arguments) => Promise<unknown>,
): Action<Arguments> => {
  const [state, setState] = useState<{ running: boolean; problem?: Problem }>({ running: false });
  const turn = useRef(0);
  return {
    running: state.running,
    problem: state.problem,
    run: async (...given) => {
      turn.current += 1;
      const mine = turn.current;
      const isLatest = () => turn.current === mine;
      setState({ running: true });
      try {
        await act(isLatest, ...given);
        if (isLatest()) setState({ running: false });
        return isLatest();
      } catch (error) {
        if (isLatest()) setState({ running: false, problem: asProblem(error) });
        return false;
      }
    },
    clear: () => {
      turn.current += 1;
      setState({ running: false });
    },
  };
};

const AGAIN_MS = 5000;

/**
 * Tries again what failed because the service could not be reached: as soon as the browser is connected, and
 * every five seconds, for the service itself may have been away.
 *
 * @param problem - of what was tried; any other is left to the reader
 */
export const useReconnected = (problem: Problem | undefined, retry: () => void): void => {
  const latest = useRef(retry);
  latest.current = retry;
  const isAway = problem?.code === 'offline' || problem?.code === 'outdated';
  const isOffline = problem?.code === 'offline';
  useEffect(() => {
    if (!isAway) return;
    const again = () => latest.current();
    window.addEventListener('online', again);
    const timer = isOffline ? setInterval(again, AGAIN_MS) : undefined;
    return () => {
      window.removeEventListener('online', again);
      clearInterval(timer);
    };
  }, [isAway, isOffline]);
};
