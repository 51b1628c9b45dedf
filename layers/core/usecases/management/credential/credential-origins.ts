import {
  type DefaultOrigins,
  defaultOrigins,
  originOf,
  originsOf,
} from '../../../domain/credentials/index.ts';
import type { Deployment } from '../../../domain/deployments/deployment.ts';
import type { ToolIndex } from '../../../domain/tool-index.ts';
import type { Ports } from '../../../ports.ts';
import { type Owned, ownedDeployment } from '../deployments/owned-deployment.ts';

export type CredentialOriginsPorts = Pick<
  Ports,
  'deploymentEditor' | 'registrableDomains' | 'toolIndexes'
>;

/**
 * Where a credential of a deployment may go if its owner names nothing, and what could be named besides.
 *
 * @throws ApiRefusal not_found
 */
export const credentialOrigins = async (
  ports: CredentialOriginsPorts,
  owned: Owned,
): Promise<DefaultOrigins> => {
  const deployment = await ownedDeployment(ports, owned);
  const index = await ports.toolIndexes.find(deployment.id, deployment.version);
  return originsByDefault(ports, deployment, index);
};

/** @param index - of the served version; undefined where there is none */
export const originsByDefault = async (
  { registrableDomains }: Pick<Ports, 'registrableDomains'>,
  { apiBaseUrl }: Pick<Deployment, 'apiBaseUrl'>,
  index: ToolIndex | undefined,
): Promise<DefaultOrigins> => {
  const registered = async (origin: string) => {
    const host = URL.parse(origin)?.hostname;
    return { origin, domain: host === undefined ? undefined : await registrableDomains.of(host) };
  };
  const served = await Promise.all((index ? originsOf(index) : []).map(registered));
  return defaultOrigins(await registered(originOf(apiBaseUrl)), served);
};
