import type { MailEvents, MailRequests } from '../../ports.ts';
import { type AwsAccess, faultOf } from '../../platform/aws/access.ts';
import { lambdaEvents } from '../../platform/lambda/client.ts';

/** Milliseconds. */
const ANSWER_MS = 5000;

/**
 * Asks the function that sends mails, by an event. One whose answer was lost may be sent twice.
 *
 * @param functionName - of its alias: an ARN, or `name:alias`
 */
export const lambdaMailRequests = (access: AwsAccess, functionName: string): MailRequests => {
  const { send } = lambdaMailEvents(access, functionName);
  return {
    send: ({ id, purpose, email, slug }) =>
      send({ id, purpose, email, ...(slug !== undefined && { slug }) }),
  };
};

/** The same for whatever the function takes. */
export const lambdaMailEvents = (access: AwsAccess, functionName: string): MailEvents => {
  const send = lambdaEvents(access, functionName, { answerMs: ANSWER_MS });
  return { send: (event) => send(event).catch(faultOf('lambda')) };
};
