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

/**
 * Has providers asked about people by the same function.
 *
 * @param functionName - of its alias: an ARN, or `name:alias`
 */
export const lambdaChecker = (access: AwsAccess, functionName: string) => {
  // A provider that takes its time is not asked twice.
  const invoke = lambdaFunction(access, functionName, { answerMs: ANSWER_MS, maxAttempts: 1 });
  return {
    /** What goes wrong on the way is as if the provider did not answer. */
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

/** The way to the function that asks providers about people. */
export type Checker = ReturnType<typeof lambdaChecker>;
