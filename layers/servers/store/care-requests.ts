import { type AwsAccess, faultOf } from '../../platform/aws/access.ts';
import { lambdaEvents } from '../../platform/lambda/client.ts';

const ANSWER_MS = 5000;

/** @param functionName - of the management function's alias: an ARN, or `name:alias` */
export const lambdaCareRequests = (access: AwsAccess, functionName: string) => {
  const send = lambdaEvents(access, functionName, { answerMs: ANSWER_MS });
  return {
    /** Resolves when Lambda has queued the event, before it is handled. */
    send: (slug: string): Promise<void> => send({ takeCareOf: slug }).catch(faultOf('lambda')),
  };
};

/** Asks the management function to check a deployment, asynchronously. */
export type CareRequests = ReturnType<typeof lambdaCareRequests>;
