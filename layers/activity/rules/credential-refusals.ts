import type { EpochSeconds } from '../../platform/rules/time.ts';
import { type CallRecord, carriedVersions } from '../../events/rules/call-record.ts';

/** That a target refuses the credential that is set: its last answers to it were 401 or 403. */
export interface CredentialRefusals {
  /** When the first of them was sent. */
  readonly since: EpochSeconds;
  readonly calls: number;
  readonly status: number;
}

/** One answer of 403 may be about the operation; so many without another answer between them are not. */
const MANY_FORBIDDEN = 3;

/** Whether an HTTP status is a target's word on the credential of a call. Source: RFC 9110, 15.5.2 and 15.5.4. */
export const isCredentialRefusal = (status: number | undefined): boolean =>
  status === 401 || status === 403;

/** Whether the answer is to a request that was let in: limits and failures may come before the credential is read. */
const isTaken = (status: number): boolean =>
  !isCredentialRefusal(status) && status !== 429 && status < 500;

/**
 * What a target says of a version of the credential: undefined as long as its last word was not a refusal.
 *
 * @param calls - of a deployment, in any order; those that carried another version say nothing
 */
export const credentialRefusals = (
  calls: readonly CallRecord[],
  version: string,
): CredentialRefusals | undefined => {
  const answered = calls
    .filter((call) => carriedVersions(call).includes(version) && call.status !== undefined)
    .toSorted((one, other) => other.at - one.at || other.index - one.index);
  const taken = answered.findIndex(({ status }) => isTaken(Number(status)));
  const refused = (taken === -1 ? answered : answered.slice(0, taken)).filter(({ status }) =>
    isCredentialRefusal(status),
  );
  const [last, first] = [refused[0], refused.at(-1)];
  if (!last || !first) return undefined;
  const isCertain =
    refused.some(({ status }) => status === 401) || refused.length >= MANY_FORBIDDEN;
  return isCertain
    ? { since: first.at, calls: refused.length, status: Number(last.status) }
    : undefined;
};
