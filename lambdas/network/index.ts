import { atFirstEvent } from '../wiring/handler.ts';
import type { Environment } from '../wiring/environment.ts';
import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { server } from '../../layers/target/routes/server.ts';
import { type NetworkOptions, wireNetwork } from './wiring.ts';

export const start = (environment: Environment, options?: NetworkOptions) => {
  const { timeLeft, targetApi } = wireNetwork(environment, options);
  return (event: unknown, context?: InvocationContext) => {
    const answer = server(targetApi, (ms, work) =>
      timeLeft.within(untilCallerEnds(ms, context), work),
    );
    return timeLeft.within(context, () => answer(event));
  };
};

/** The router, which waits for the answer, may have less time than this function. */
const untilCallerEnds = (ms: number, context?: InvocationContext): InvocationContext => {
  const end = performance.now() + ms;
  return {
    getRemainingTimeInMillis: () =>
      Math.min(end - performance.now(), context?.getRemainingTimeInMillis() ?? Infinity),
  };
};

export const handler = atFirstEvent(start);
