import { type AwsAccess, errorName } from '../../platform/aws/access.ts';
import { lambdaFunction } from '../../platform/lambda/client.ts';
import {
  CheckAnswer,
  type CheckRequest,
  RedeemAnswer,
  type Redeemed,
  type RedeemRequest,
  SignInFailed,
} from '../rules/redeemed.ts';

/** Milliseconds; the timeout of the function. */
const ANSWER_MS = 20_000;

/** Invokes the function that can decrypt our client secrets. @param functionName - ARN or `name:alias` */
export const lambdaRedeemer = (access: AwsAccess, functionName: string) => {
  // No retry: a code is valid once, so a second attempt would fail where the first succeeded.
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

export type Redeemer = ReturnType<typeof lambdaRedeemer>;

/** Asks providers about people, by the same function. @param functionName - ARN or `name:alias` */
export const lambdaChecker = (access: AwsAccess, functionName: string) => {
  // No retry: a slow provider should not be asked twice.
  const invoke = lambdaFunction(access, functionName, { answerMs: ANSWER_MS, maxAttempts: 1 });
  return {
    /** Failures of the invocation count as if the provider did not answer. */
    check: async (check: CheckRequest): Promise<CheckAnswer> => {
      const invoked = await invoke({ check }, CheckAnswer).catch((error: unknown) => ({
        problem: `lambda: ${errorName(error)}`,
      }));
      return 'problem' in invoked
        ? { as: 'unavailable', why: `the function ${invoked.problem}` }
        : invoked.answer;
    },
  };
};

export type Checker = ReturnType<typeof lambdaChecker>;
