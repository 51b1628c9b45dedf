import { useEffect, useRef } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';

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
