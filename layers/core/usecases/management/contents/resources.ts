import type { Resource } from '../../../domain/deployments/deployment.ts';
import { checkResource } from '../../../domain/resources/index.ts';
import type { Ports } from '../../../ports.ts';
import { type ContentPorts, contentsOf } from './contents.ts';

export type ResourcePorts = ContentPorts & Pick<Ports, 'resources'>;

/** An owner's resources. Source: docs/protocol.md, "Resources". */
export const ownResources = (ports: ResourcePorts) =>
  contentsOf<Resource>(ports, ports.resources, {
    what: 'resource',
    countLimit: 'resources_per_deployment',
    bytesLimit: 'resources_total_max_bytes',
    check: (resource) => checkResource(resource, ports.settings.limits.resource_max_bytes),
  });
