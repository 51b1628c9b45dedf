import type { CredentialRefusals } from '../../../activity/rules/credential-refusals.ts';
import type { Deployment } from '../../rules/deployment.ts';
import type { Ports } from '../../../ports.ts';
import { credentialRefusals } from './credential-refusals.ts';

export type RefusedCredentialsPorts = Pick<Ports, 'calls' | 'clock'>;

/**
 * Those deployments whose credential the target refuses, by their ids. Only those of which that was seen before
 * are looked at, which are few.
 */
export const refusedCredentials = async (
  ports: RefusedCredentialsPorts,
  deployments: readonly Deployment[],
): Promise<ReadonlyMap<string, CredentialRefusals>> => {
  const looked = deployments
    .filter(({ credential }) => credential?.refusedAt !== undefined)
    .map(async (one) => [one.id, await credentialRefusals(ports, one)] as const);
  return new Map(
    (await Promise.all(looked)).flatMap(([id, refusals]) => (refusals ? [[id, refusals]] : [])),
  );
};
