import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/problem.ts';

export interface Action<Arguments extends readonly unknown[]> {
  readonly running: boolean;
  readonly problem: Problem | undefined;
  /** @returns whether it succeeded */
  run(...given: Arguments): Promise<boolean>;
  clear(): void;
}

/** An action that does not start again while it runs, and its last failure. */
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

/** An action that may be started again while it runs. @param act - asks `isLatest` before it shows a result */
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

const LATER_MS = 200;

/** Runs `act`, as it was rendered last, once nobody has asked for it for 200 ms. @returns whether a run is pending */
export const useLater = (act: () => void) => {
  const latest = useRef(act);
  latest.current = act;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [waiting, setWaiting] = useState(false);
  const cancel = () => {
    clearTimeout(timer.current);
    setWaiting(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const run = () => {
    clearTimeout(timer.current);
    setWaiting(true);
    timer.current = setTimeout(() => {
      setWaiting(false);
      latest.current();
    }, LATER_MS);
  };
  return { waiting, run, cancel };
};

const AGAIN_MS = 5000;

/**
 * Retries what failed because the service could not be reached: once the browser is online again and, after
 * `offline`, every five seconds. Other problems are not retried.
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
