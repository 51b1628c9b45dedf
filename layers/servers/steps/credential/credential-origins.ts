import { type DefaultOrigins, defaultOrigins } from '../../../credentials/rules/default-origins.ts';
import { originOf, originsOf } from '../../../credentials/rules/credential-origins.ts';
import type { CredentialNeed } from '../../../openapi/credential-needs.ts';
import { exposed, exposures } from '../../rules/exposure.ts';
import type { Deployment } from '../../rules/deployment.ts';
import type { Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { ToolIndex } from '../../../openapi/tool-index.ts';
import type { Ports } from '../../../ports.ts';
import { type Owned, ownedDeployment } from '../deployments/owned-deployment.ts';

export type CredentialOriginsPorts = Pick<
  Ports,
  'deploymentEditor' | 'registrableDomains' | 'toolIndexes' | 'versions'
>;

/** What its owner is shown before a credential is set. */
export interface CredentialProspect extends DefaultOrigins {
  /** What strangers could do with one and cannot now. */
  readonly exposures: readonly Finding[];
  /** What the operations of the served version ask for. */
  readonly needs: readonly CredentialNeed[];
}

/**
 * Where a credential of a deployment may go if its owner names nothing, what could be named besides, and
 * what strangers could do with it.
 *
 * @throws ApiRefusal not_found
 */
export const credentialOrigins = async (
  ports: CredentialOriginsPorts,
  owned: Owned,
): Promise<CredentialProspect> => {
  const deployment = await ownedDeployment(ports, owned);
  const { id, version } = deployment;
  const [index, notes] = await Promise.all([
    ports.toolIndexes.find(id, version),
    ports.versions.notes(id, version),
  ]);
  const now = exposed(deployment, index);
  return {
    ...(await originsByDefault(ports, deployment, index)),
    exposures: exposures(now, { ...now, hasCredential: true }),
    needs: notes?.credentialNeeds ?? [],
  };
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
