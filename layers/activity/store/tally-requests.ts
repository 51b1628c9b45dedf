import * as z from 'zod/mini';
import { type AwsAccess, faultOf } from '../../platform/aws/access.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { lambdaFunction } from '../../platform/lambda/client.ts';
import type { CountedPart } from '../rules/call-counts.ts';

/** Timeout of the function. */
const ANSWER_MS = 60_000;

const Answer = z.object({
  minutes: z.int(),
  unread: z.int(),
  next: z.exactOptional(z.int()),
});

/**
 * Invokes another instance to count a part, and waits for it.
 * @param functionName - of the alias of `tally`: an ARN, or `name:alias`
 */
export const lambdaTallyRequests = (access: AwsAccess, functionName: string) => {
  // Retries are harmless: counting is idempotent.
  const invoke = lambdaFunction(access, functionName, { answerMs: ANSWER_MS, maxAttempts: 4 });
  return {
    /** @throws Fault if it fails */
    send: async (event: object): Promise<CountedPart> => {
      const invoked = await invoke(event, Answer).catch(faultOf('lambda'));
      if ('answer' in invoked) return invoked.answer;
      throw new Fault('lambda', `tally ${invoked.problem}`);
    },
  };
};

export type TallyRequests = ReturnType<typeof lambdaTallyRequests>;
