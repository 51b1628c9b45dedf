import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { JwtIssuer } from '../../../tokens/rules/jwt.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { checkRevision, type Revisions } from '../../../deployments/rules/revision.ts';
import {
  changeDeployment,
  type ChangeDeploymentPorts,
} from '../../../deployments/steps/change-deployment.ts';
import {
  noDeployment,
  type Owned,
  ownedDeployment,
} from '../../../deployments/steps/owned-deployment.ts';

/** Source: docs/decisions/oauth.md, "Tokens of mode jwt". @throws ApiRefusal not_found */
export const findJwtIssuer = async (
  ports: Pick<DeploymentsPorts, 'deploymentEditor'>,
  owned: Owned,
) => {
  const deployment = await ownedDeployment(ports, owned);
  if (!deployment.jwtIssuer) {
    throw new ApiRefusal('not_found', 'The deployment trusts no external issuer.');
  }
  return { deployment, issuer: deployment.jwtIssuer };
};

/** @throws ApiRefusal not_found, stale, conflict */
export const setJwtIssuer = async (
  ports: ChangeDeploymentPorts,
  { issuer, revisions, ...owned }: Owned & { issuer: JwtIssuer; revisions?: Revisions },
): Promise<Deployment> =>
  change(ports, owned, revisions, (before) => ({ ...before, jwtIssuer: issuer }));

/** Idempotent. @throws ApiRefusal not_found, stale, conflict */
export const removeJwtIssuer = async (
  ports: ChangeDeploymentPorts,
  { revisions, ...owned }: Owned & { revisions?: Revisions },
): Promise<void> => {
  const before = await ownedDeployment(ports, owned);
  checkRevision(before, revisions);
  if (!before.jwtIssuer) return;
  await change(ports, owned, revisions, (current) => {
    const { jwtIssuer: _, ...rest } = current;
    return rest;
  });
};

const change = async (
  ports: ChangeDeploymentPorts,
  owned: Owned,
  revisions: Revisions,
  make: (before: Deployment) => Deployment,
): Promise<Deployment> => {
  const before = await ownedDeployment(ports, owned);
  const changed = await changeDeployment(ports, before, make, revisions);
  if (!changed) throw noDeployment();
  return changed;
};
