import { encodedText } from '../../../openapi/intake/encoding.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { Ports } from '../../../ports.ts';
import { type Owned, ownedDeployment } from './owned-deployment.ts';

export type ReadDescriptionPorts = Pick<Ports, 'deploymentEditor' | 'versions'>;

export interface UploadedDescription {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/**
 * The description of a deployment's version as it was uploaded.
 *
 * @param version - the served one if undefined
 * @throws ApiRefusal not_found
 *
 * Source: docs/decisions/descriptions.md, "Descriptions are read back".
 */
export const readUploadedDescription = async (
  ports: ReadDescriptionPorts,
  owned: Owned,
  version?: number,
): Promise<UploadedDescription> => {
  const { id, version: served, history } = await ownedDeployment(ports, owned);
  const number = version ?? served;
  if (number !== served && !history.includes(number)) {
    throw new ApiRefusal('not_found', 'The deployment has no such version.');
  }
  return storedDescription(ports, id, number);
};

/** @throws Fault if there is none */
export const storedDescription = async (
  { versions }: Pick<Ports, 'versions'>,
  deploymentId: string,
  version: number,
): Promise<UploadedDescription> => {
  const [text, notes] = await Promise.all([
    versions.description(deploymentId, version),
    versions.notes(deploymentId, version),
  ]);
  if (text === undefined || !notes) {
    throw new Fault('dynamodb', 'a version of a deployment has no description');
  }
  const { mediaType, encoding } = notes.upload;
  return { bytes: encodedText(text, encoding), mediaType };
};
