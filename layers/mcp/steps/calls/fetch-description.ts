import { CredentialUnavailable } from '../../../credentials/rules/credential-access.ts';
import { NoAnswer, type TargetAnswer } from '../../../target/rules/target.ts';
import { withCredential } from '../../../tools/request/build-request.ts';
import type { CredentialOwner } from '../../../servers/store/function-requests.ts';
import type { Ports } from '../../../ports.ts';

export type FetchDescriptionPorts = Pick<Ports, 'credentials' | 'events' | 'log' | 'targetApi'>;

/** What management asks for: who has looked that it is the owner's. */
export interface DescriptionFetch {
  readonly deployment: CredentialOwner;
  readonly url: string;
  readonly requestId: string;
}

/**
 * Fetches a description with the credential of a deployment: as calls carry it, to the hosts that it is meant for
 * and within one origin.
 *
 * @returns undefined where there was no answer, or not all of one
 *
 * Source: docs/decisions/descriptions.md, "Descriptions that are fetched again".
 */
export const fetchDescription = async (
  { credentials, events, log, targetApi }: FetchDescriptionPorts,
  { deployment: { id, slug, ownerId, version }, url, requestId }: DescriptionFetch,
): Promise<TargetAnswer | undefined> => {
  const use = { user: ownerId, ip: 'service', userAgent: undefined, requestId };
  const fetched = async (): Promise<TargetAnswer | undefined> => {
    const credential = await credentials.find({ deploymentId: id, ownerId, version }, use);
    const request = withCredential({ method: 'GET', url, headers: { accept: ACCEPT } }, credential);
    const answer = await targetApi.send(id, request);
    return answer.cut ? undefined : answer;
  };
  const answer = await fetched().catch((error: unknown) => {
    if (error instanceof NoAnswer || error instanceof CredentialUnavailable) return undefined;
    throw error;
  });
  const outcome = answer ? 'ok' : 'no_answer';
  log.write({ message: 'description_fetch', request_id: requestId, slug, outcome });
  await events.flush();
  return answer;
};

const ACCEPT = 'application/json, application/yaml, */*;q=0.1';
