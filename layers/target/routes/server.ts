import {
  answerEvent,
  type NetworkAnswer,
  type NetworkCall,
  readCall,
} from '../rules/network-call.ts';
import { NoAnswer } from '../rules/target.ts';
import type { TargetApi } from '../rules/web.ts';

/**
 * The function of a private network: makes requests of the router there, by the very client that makes all others. No
 * route leads here, the router's role alone may invoke it. Nothing of a request is written down.
 *
 * @param within - bounds work by the milliseconds that the router has left
 * @returns what answers an event; throws Error for one that is none of the router's
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
