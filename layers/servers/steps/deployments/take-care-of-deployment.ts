import type { Ports } from '../../../ports.ts';
import type { Refreshed } from '../../rules/versions.ts';
import { tellOfRefusals, type TellOfRefusalsPorts } from '../credential/tell-of-refusals.ts';
import { refreshDescription, type RefreshDescriptionPorts } from './refresh-description.ts';

export type TakeCareOfDeploymentPorts = TellOfRefusalsPorts &
  RefreshDescriptionPorts &
  Pick<Ports, 'log'>;

export interface CareTaken {
  /** Whether it was seen just now that the target refuses the credential. */
  readonly isCredentialRefused: boolean;
  /** Absent where no description is fetched again. */
  readonly refreshed?: Refreshed['outcome'];
}

/** What an owner would do by hand if they knew, or is told: nothing of a deployment that is not served. */
export const takeCareOfDeployment = async (
  ports: TakeCareOfDeploymentPorts,
  slug: string,
): Promise<CareTaken> => {
  const found = await ports.deploymentEditor.read(slug);
  if (found?.status !== 'active') return { isCredentialRefused: false };
  const isCredentialRefused = await tellOfRefusals(ports, found);
  const deployment = isCredentialRefused ? await ports.deploymentEditor.read(slug) : found;
  const refreshed = deployment && (await refreshDescription(ports, deployment));
  return { isCredentialRefused, ...(refreshed && { refreshed }) };
};
