import { checkValues, type GivenValues } from '../rules/check-values.ts';
import type { Resource } from '../rules/contents.ts';
import { checkResource } from '../resources/check-resource.ts';
import type { Ports } from '../../ports.ts';
import { type ContentPorts, contentsOf } from './contents.ts';

export type ResourcePorts = ContentPorts & Pick<Ports, 'clock' | 'resources'>;

/** An owner's resources, which know when they were written. Source: docs/protocol.md, "Resources". */
export const ownResources = (ports: ResourcePorts) => {
  const resources = contentsOf<Resource>(ports, ports.resources, {
    what: 'resource',
    countLimit: 'resources_per_deployment',
    bytesLimit: 'resources_total_max_bytes',
    check: (resource) => {
      const { limits } = ports.settings;
      checkResource(resource, limits.resource_max_bytes);
      checkValues(valuesOf(resource), limits);
    },
  });
  const { create, replace } = resources;
  const written = (resource: Resource) => ({ ...resource, updatedAt: ports.clock.now() });

  return {
    ...resources,

    create: ((owned, resource) => create(owned, written(resource))) satisfies typeof create,

    replace: ((owned, resource, revisions) =>
      replace(owned, written(resource), revisions)) satisfies typeof replace,
  };
};

const valuesOf = ({ variables = [] }: Resource): readonly GivenValues[] =>
  variables.map(({ values }, index) => ({ at: ['variables', index, 'values'], values }));
