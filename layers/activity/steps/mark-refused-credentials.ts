import { type CallRecord, carriedVersions } from '../../events/rules/call-record.ts';
import { isCredentialRefusal } from '../rules/credential-refusals.ts';
import type { CredentialsPorts } from '../../credentials/ports.ts';

/**
 * Marks versions of credentials that a target refused, so that owners can be notified without a search through all
 * calls. Source: docs/decisions/mcp.md, "Failed calls".
 */
export const markRefusedCredentials = async (
  { credentialMarks }: Pick<CredentialsPorts, 'credentialMarks'>,
  calls: readonly CallRecord[],
): Promise<void> => {
  const first = new Map<string, Parameters<typeof credentialMarks.put>[0]>();
  for (const { at: since, deploymentId, status, ...call } of calls) {
    if (!isCredentialRefusal(status)) continue;
    for (const version of carriedVersions(call)) {
      const key = `${deploymentId}#${version}`;
      const before = first.get(key);
      if (!before || since < before.since) first.set(key, { deploymentId, version, since });
    }
  }
  for (const mark of first.values()) await credentialMarks.put(mark);
};
