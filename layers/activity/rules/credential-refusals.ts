import type { EpochSeconds } from '../../platform/rules/time.ts';
import { type CallRecord, carriedVersions } from '../../events/rules/call-record.ts';

/** A target refuses the stored credential: its last answers were 401 or 403. */
export interface CredentialRefusals {
  readonly since: EpochSeconds;
  readonly calls: number;
  readonly status: number;
}

/** A single 403 may be about one operation; this many in a row are about the credential. */
const MANY_FORBIDDEN = 3;

/** Source: RFC 9110, 15.5.2 and 15.5.4. */
export const isCredentialRefusal = (status: number | undefined): boolean =>
  status === 401 || status === 403;

/** Whether the target accepted the credential: 429 and 5xx may come before it is checked. */
const isTaken = (status: number): boolean =>
  !isCredentialRefusal(status) && status !== 429 && status < 500;

/**
 * Refusals of a credential's version since it was last accepted; undefined without a 401 and with few 403.
 * @param calls - of a deployment, in any order; calls with other versions are ignored
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
