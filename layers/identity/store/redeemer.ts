import { type AwsAccess, errorName } from '../../platform/aws/access.ts';
import { lambdaFunction } from '../../platform/lambda/client.ts';
import {
  RedeemAnswer,
  type Redeemed,
  type RedeemRequest,
  SignInFailed,
} from '../rules/redeemed.ts';

/** Milliseconds: as long as the function may take. */
const ANSWER_MS = 20_000;

/**
 * Has codes of providers redeemed by the function that knows our secrets there.
 *
 * @param functionName - of its alias: an ARN, or `name:alias`
 */
export const lambdaRedeemer = (access: AwsAccess, functionName: string) => {
  // A code is good once: a second attempt would spoil the first.
  const invoke = lambdaFunction(access, functionName, { answerMs: ANSWER_MS, maxAttempts: 1 });
  return {
    /** @throws SignInFailed */
    redeem: async (request: RedeemRequest): Promise<Redeemed> => {
      const invoked = await invoke(request, RedeemAnswer).catch((error: unknown) => {
        throw new SignInFailed('unavailable', `lambda: ${errorName(error)}`);
      });
      if ('problem' in invoked) {
        throw new SignInFailed('unavailable', `the function ${invoked.problem}`);
      }
      const { answer } = invoked;
      if (answer.ok) return answer;
      throw new SignInFailed(answer.reason, answer.why);
    },
  };
};

/** The way to the function that redeems. */
export type Redeemer = ReturnType<typeof lambdaRedeemer>;
