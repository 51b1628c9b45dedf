import type { McpPorts } from '../../ports.ts';
import { afterwards } from '../../../platform/rules/afterwards.ts';
import { CredentialUnavailable } from '../../../credentials/rules/credential-access.ts';
import { TokenUnavailable } from '../../../connections/rules/token-failure.ts';
import { credentialRef } from '../../../credentials/rules/deployment-credential.ts';
import { MAIN } from '../../../credentials/rules/credential-name.ts';
import type { CredentialSource, SentCredential } from '../../../target/rules/credential.ts';
import {
  NoAnswer,
  type TargetAnswer,
  type TargetRequest,
  trustOf,
} from '../../../target/rules/target.ts';
import { maskingOf } from '../../../tools/masking/mask-secrets.ts';
import { withCredential } from '../../../tools/request/build-request.ts';
import type { FetchingDeployment } from '../../../deployments/rules/fetching-deployment.ts';

type FetchDescriptionPorts = Pick<
  McpPorts,
  'connectedTokens' | 'credentials' | 'events' | 'log' | 'targetApi'
>;

/** Sent by the management function, which has checked that the deployment belongs to the user. */
export interface DescriptionFetch {
  readonly deployment: FetchingDeployment;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestId: string;
}

/**
 * Fetches a description with the deployment's credential, or in its private network. As in calls, the credential goes
 * only to the hosts that it is for. Secrets that the description repeats are masked: everybody may read the tools
 * made of it.
 * @returns undefined without a complete answer
 * Source: docs/decisions/descriptions.md, "Descriptions that are fetched again".
 */
export const fetchDescription = async (
  { connectedTokens, credentials, events, log, targetApi }: FetchDescriptionPorts,
  { deployment, url, headers = {}, requestId }: DescriptionFetch,
): Promise<TargetAnswer | undefined> => {
  const { id, slug, ownerId, version, type: kind, perCaller, network, names = [] } = deployment;
  const trust = trustOf(deployment);
  const use = { user: ownerId, ip: 'service', userAgent: undefined, requestId };
  const carried: SentCredential[] = [];
  const carrying = async (held: string, request: TargetRequest): Promise<TargetRequest> => {
    const ref = (from: CredentialSource) =>
      credentialRef(deployment, { name: MAIN, from, version: held });
    const credential =
      kind === undefined
        ? await credentials.find(ref('store'), use)
        : await connectedTokens.find({
            ref: ref('connections'),
            kind,
            use,
            perCaller: perCaller ?? false,
            trust,
          });
    carried.push(credential);
    return withCredential(request, credential);
  };
  const secrets = (): readonly SentCredential[] => {
    const held = [MAIN, ...names].flatMap((name) => {
      const ref = { deploymentId: id, name };
      const tokens = [false, true].flatMap((isOwn) =>
        connectedTokens.held({ ref, use, perCaller: isOwn }),
      );
      return [...credentials.held(ref), ...tokens];
    });
    return [...new Set([...held, ...carried])];
  };
  const masked = async (answer: TargetAnswer): Promise<TargetAnswer> => {
    const masking = maskingOf(secrets(), undefined);
    const { maskedDescription } = await import('../../../tools/masking/mask-description.ts');
    const { headers: sent, body } = answer;
    return {
      ...answer,
      headers: masking.headers(sent),
      body: maskedDescription(body, masking),
    };
  };
  const fetched = async (): Promise<TargetAnswer | undefined> => {
    const plain = {
      method: 'GET',
      url,
      headers: { accept: ACCEPT, ...headers },
      ...(network !== undefined && { network }),
      ...trust,
    };
    const request = version === undefined ? plain : await carrying(version, plain);
    const answer = await targetApi.send(id, request);
    return answer.cut ? undefined : masked(answer);
  };
  const answer = await fetched().catch((error: unknown) => {
    if (error instanceof NoAnswer || error instanceof CredentialUnavailable) return undefined;
    if (error instanceof TokenUnavailable) return undefined;
    throw error;
  });
  const outcome = answer ? 'ok' : 'no_answer';
  log.write({ message: 'description_fetch', request_id: requestId, slug, outcome });
  await afterwards({ log }, 'events of a fetch', events.flush);
  return answer;
};

const ACCEPT = 'application/json, application/yaml, */*;q=0.1';
