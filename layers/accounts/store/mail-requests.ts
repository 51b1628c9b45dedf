import type { MailRequest } from '../rules/user.ts';
import { type AwsAccess, faultOf } from '../../platform/aws/access.ts';
import { lambdaEvents } from '../../platform/lambda/client.ts';

const ANSWER_MS = 5000;

/**
 * Asks the function that sends mails, by an event. One whose answer was lost may be sent twice.
 *
 * @param functionName - of its alias: an ARN, or `name:alias`
 */
export const lambdaMailRequests = (access: AwsAccess, functionName: string) => {
  const { send } = lambdaMailEvents(access, functionName);
  return {
    /** Resolves when the request is kept, which says nothing of the mail. */
    send: (request: MailRequest): Promise<void> => {
      const { id, purpose, email } = request;
      return send({
        id,
        purpose,
        email,
        ...('slug' in request && { slug: request.slug }),
        ...('by' in request && { by: request.by }),
        ...(request.purpose === 'opened_by_company' && { company: request.company }),
        ...(request.purpose === 'invitation' && {
          may_sign_up: request.maySignUp,
          ...(request.company && { company: request.company }),
        }),
      });
    },
  };
};

/** Asks another function, which nobody waits for. Source: docs/decisions/accounts.md, "Who sends mails". */
export type MailRequests = ReturnType<typeof lambdaMailRequests>;

/** The same for whatever the function takes. */
export const lambdaMailEvents = (access: AwsAccess, functionName: string) => {
  const send = lambdaEvents(access, functionName, { answerMs: ANSWER_MS });
  return {
    /** Resolves when the event is kept, which says nothing of the mail. @throws Fault */
    send: (event: object): Promise<void> => send(event).catch(faultOf('lambda')),
  };
};

/** Sends the function `mails` an event that it failed at before. */
export type MailEvents = ReturnType<typeof lambdaMailEvents>;
