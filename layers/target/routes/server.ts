import {
  answerEvent,
  type NetworkAnswer,
  type NetworkCall,
  readCall,
} from '../rules/network-call.ts';
import { NoAnswer } from '../rules/target.ts';
import type { TargetApi } from '../rules/web.ts';

/**
 * Function in a private network that makes requests for the router, with the same client as all others. It has no
 * HTTP route; only the router's role may invoke it. Nothing of a request is logged.
 * @param within - bounds the work to the milliseconds that the router has left
 * @returns a handler that throws Error for an event that is not the router's
 */
export const server = (
  targetApi: TargetApi,
  within: <Result>(ms: number, work: () => Promise<Result>) => Promise<Result>,
) => {
  const answerTo = ({ deploymentId, request }: NetworkCall): Promise<NetworkAnswer> =>
    targetApi.send(deploymentId, request).then(
      (answer) => ({ answer }),
      (error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
        return { reason: error.reason, why: error.message };
      },
    );

  return async (event: unknown) => {
    const call = readCall(event);
    return answerEvent(await within(call.ms, () => answerTo(call)));
  };
};
