import { isoTime } from '../../platform/rules/time.ts';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { ApiRoute } from '../../api/route.ts';
import { type BodyOf, sentOf, shownMembers, wireOf } from '../../platform/rules/shape.ts';
import { Resource } from '../rules/contents.ts';
import { ownResources } from '../steps/contents.ts';
import { contentRoutes } from './content-routes.ts';
import type { PortsOf } from '../../platform/ports.ts';

const Sent = mini.omit(Resource, { updatedAt: true });
const NewResource = sentOf(Sent);
const Replacement = sentOf(mini.extend(Sent, { name: mini.exactOptional(Sent.shape.name) }));

const { content: _, encoding, variables, ...members } = Sent.shape;
const Listed = z.object({
  ...shownMembers(members),
  variables: z
    .array(
      z.object({
        name: z.string(),
        value_count: z.int().meta({ description: 'How many values there are.' }),
      }),
    )
    .optional(),
  encoding: encoding.def.innerType,
  size: z.int().meta({ description: 'Of the content as it was sent, in bytes.' }),
  updated_at: z.iso
    .datetime()
    .optional()
    .meta({ description: 'Absent where it was written before this was recorded.' }),
});
const Full = Listed.extend({
  variables: z.optional(wireOf(variables.def.innerType)),
  content: z.string(),
});

export const resourceRoutes = (ports: PortsOf<typeof ownResources>): readonly ApiRoute[] =>
  contentRoutes(ownResources(ports), {
    what: 'resource',
    created: NewResource,
    replacement: Replacement,
    named: (sent, name) => ({ ...sent, name }),
    listed: Listed,
    full: Full,
    show: full,
    list: listed,
    summaries: {
      create: 'Adds a document that clients can read, or a template of documents.',
      list: 'The resources of the deployment by name, without their content and values.',
      get: 'One resource with its content.',
    },
  });

const listed = (resource: Resource): BodyOf<typeof Listed> => {
  const { mimeType, content: text, updatedAt, variables: known, ...rest } = resource;
  return {
    ...rest,
    mime_type: mimeType,
    variables: known?.map(({ name, values }) => ({ name, value_count: values.length })),
    size: Buffer.byteLength(text),
    updated_at: updatedAt === undefined ? undefined : isoTime(updatedAt),
  };
};

const full = (resource: Resource): BodyOf<typeof Full> => ({
  ...listed(resource),
  variables: resource.variables,
  content: resource.content,
});
