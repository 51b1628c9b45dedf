import type { CareRequests } from '../../ports.ts';
import { type AwsAccess, faultOf } from '../../platform/aws/access.ts';
import { lambdaEvents } from '../../platform/lambda/client.ts';

/** Milliseconds. */
const ANSWER_MS = 5000;

/**
 * Asks the management function by an event.
 *
 * @param functionName - of its alias: an ARN, or `name:alias`
 */
export const lambdaCareRequests = (access: AwsAccess, functionName: string): CareRequests => {
  const send = lambdaEvents(access, functionName, { answerMs: ANSWER_MS });
  return { send: (slug) => send({ takeCareOf: slug }).catch(faultOf('lambda')) };
};
