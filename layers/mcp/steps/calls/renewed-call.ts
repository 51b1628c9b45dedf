import { TokenUnavailable } from '../../../connections/rules/token-failure.ts';
import { tokenFingerprint } from '../../../connections/rules/token-source.ts';
import type { TargetRequest } from '../../../target/rules/target.ts';
import type { HeldCredential } from '../rpc-call.ts';

/** Repeating them does no harm. Source: RFC 9110 §9.2.2. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/** Whether a request may be sent once more after 401: nothing of it can have been done, or nothing is done twice. */
export const mayRepeat = ({ method, body }: TargetRequest): boolean =>
  IDEMPOTENT.has(method) || body === undefined;

/**
 * The credentials of a call that its target has refused, with another token for each that somebody gives tokens for.
 *
 * @returns undefined where there is no other token now
 */
export const renewedCredentials = async (
  held: readonly HeldCredential[],
): Promise<readonly HeldCredential[] | undefined> => {
  const renewed = await Promise.all(held.map(async (one) => (await one.renewed?.()) ?? one)).catch(
    // The 401 of the target is what is said then.
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
