import { type AwsAccess, faultOf } from '../../platform/aws/access.ts';
import { lambdaEvents } from '../../platform/lambda/client.ts';

const ANSWER_MS = 5000;

/**
 * Asks the management function by an event.
 *
 * @param functionName - of its alias: an ARN, or `name:alias`
 */
export const lambdaCareRequests = (access: AwsAccess, functionName: string) => {
  const send = lambdaEvents(access, functionName, { answerMs: ANSWER_MS });
  return {
    /** Resolves when the request is kept, which says nothing of what comes of it. */
    send: (slug: string): Promise<void> => send({ takeCareOf: slug }).catch(faultOf('lambda')),
  };
};

/** Asks management to take care of a deployment, which nobody waits for. */
export type CareRequests = ReturnType<typeof lambdaCareRequests>;
