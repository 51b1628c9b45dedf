import type { MailRequest } from '../rules/user.ts';
import { type AwsAccess, faultOf } from '../../platform/aws/access.ts';
import { lambdaEvents } from '../../platform/lambda/client.ts';

const ANSWER_MS = 5000;

/** Invokes the mail function, perhaps twice if its answer is lost. @param functionName - ARN or `name:alias` */
export const lambdaMailRequests = (access: AwsAccess, functionName: string) => {
  const { send } = lambdaMailEvents(access, functionName);
  return {
    /** Resolves when Lambda has accepted the request, before the mail is sent. */
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

/** Source: docs/decisions/accounts.md, "Who sends mails". */
export type MailRequests = ReturnType<typeof lambdaMailRequests>;

export const lambdaMailEvents = (access: AwsAccess, functionName: string) => {
  const send = lambdaEvents(access, functionName, { answerMs: ANSWER_MS });
  return {
    /** Resolves when Lambda has accepted the event. @throws Fault */
    send: (event: object): Promise<void> => send(event).catch(faultOf('lambda')),
  };
};

export type MailEvents = ReturnType<typeof lambdaMailEvents>;
