import { TokenUnavailable } from '../../../connections/rules/token-failure.ts';
import { tokenFingerprint } from '../../../connections/rules/token-source.ts';
import { IDEMPOTENT, type TargetRequest } from '../../../target/rules/target.ts';
import type { HeldCredential } from '../rpc-call.ts';

/** Whether a request may be sent again after 401: it is idempotent, or has no body. */
export const mayRepeat = ({ method, body }: TargetRequest): boolean =>
  IDEMPOTENT.has(method) || body === undefined;

/** Renews the tokens of a call that its target refused. @returns undefined where no other token is available */
export const renewedCredentials = async (
  held: readonly HeldCredential[],
): Promise<readonly HeldCredential[] | undefined> => {
  const renewed = await Promise.all(held.map(async (one) => (await one.renewed?.()) ?? one)).catch(
    // The caller then gets the 401 of the target.
    (error: unknown) => {
      if (error instanceof TokenUnavailable) return held;
      throw error;
    },
  );
  const isOther = (one: HeldCredential, index: number): boolean => {
    const before = held[index];
    return !before || tokenFingerprint(one.credential) !== tokenFingerprint(before.credential);
  };
  return renewed.some(isOther) ? renewed : undefined;
};
