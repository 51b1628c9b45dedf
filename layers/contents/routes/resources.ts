import * as z from 'zod';
import * as mini from 'zod/mini';
import { jsonBody } from '../../api/body.ts';
import { etag, ifMatch } from '../../api/request.ts';
import { isoTime } from '../../api/answer.ts';
import { pageBody, pageOf, pageQuery, pageWithin } from '../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import { apiReply } from '../../platform/http/reply.ts';
import { type BodyOf, sentOf, shownMembers, wireOf } from '../../platform/rules/shape.ts';
import { contentRevision } from '../../deployments/rules/content-revision.ts';
import { Resource } from '../rules/contents.ts';
import { checkSameName, ownResources, type ResourcePorts } from '../steps/contents.ts';

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

const PATH = '/deployments/{slug}/resources';
const LIST = 'resources';
const TAGGED = { ETag: 'Its revision, for If-Match.' };
const MAX_BYTES = 2 * 1024 * 1024;

export const resourceRoutes = (ports: ResourcePorts): readonly ApiRoute[] => {
  const resources = ownResources(ports);
  return [
    ownerRoute({
      method: 'POST',
      path: PATH,
      operationId: 'createResource',
      effects: [],
      tag: 'resources',
      summary: 'Adds a document that clients can read, or a template of documents.',
      body: jsonBody(NewResource, { maxBytes: MAX_BYTES }),
      answers: { 201: { description: 'The resource.', schema: Full, headers: TAGGED } },
      refusals: ['not_found', 'conflict', 'limit_reached'],
      handle: async ({ user, parameters: { slug }, body }) => {
        const owned = { ownerId: user.id, slug };
        return resourceReply(201, await resources.create(owned, body));
      },
    }),
    ownerRoute({
      method: 'GET',
      path: PATH,
      operationId: 'listResources',
      effects: [],
      tag: 'resources',
      summary: 'The resources of the deployment by name, without their content and values.',
      query: pageQuery(LIST),
      answers: { 200: { description: 'A page.', schema: pageOf(Listed) } },
      refusals: ['not_found'],
      handle: async ({ user, parameters: { slug }, query }) => {
        const all = await resources.list({ ownerId: user.id, slug });
        const { items, next } = pageWithin(all, query, listed);
        return apiReply(200, pageBody(LIST, items, next));
      },
    }),
    ownerRoute({
      method: 'GET',
      path: `${PATH}/{name}`,
      operationId: 'getResource',
      effects: [],
      tag: 'resources',
      summary: 'One resource with its content.',
      answers: { 200: { description: 'The resource.', schema: Full, headers: TAGGED } },
      refusals: ['not_found'],
      handle: async ({ user, parameters: { slug, name } }) =>
        resourceReply(200, await resources.find({ ownerId: user.id, slug }, name)),
    }),
    ownerRoute({
      method: 'PUT',
      path: `${PATH}/{name}`,
      operationId: 'replaceResource',
      effects: [],
      conditional: true,
      tag: 'resources',
      summary: 'Replaces a resource whole; its name stays.',
      body: jsonBody(Replacement, { maxBytes: MAX_BYTES }),
      answers: { 200: { description: 'The resource.', schema: Full, headers: TAGGED } },
      refusals: ['not_found', 'stale', 'conflict', 'limit_reached'],
      handle: async ({ event, user, parameters: { slug, name }, body }) => {
        checkSameName(name, body.name);
        const owned = { ownerId: user.id, slug };
        return resourceReply(
          200,
          await resources.replace(owned, { ...body, name }, ifMatch(event)),
        );
      },
    }),
    ownerRoute({
      method: 'DELETE',
      path: `${PATH}/{name}`,
      operationId: 'removeResource',
      effects: ['removal'],
      conditional: true,
      tag: 'resources',
      summary: 'Removes a resource.',
      answers: { 204: { description: 'It is gone.' } },
      refusals: ['not_found', 'stale'],
      handle: async ({ event, user, parameters: { slug, name } }) => {
        await resources.remove({ ownerId: user.id, slug }, name, ifMatch(event));
        return apiReply(204);
      },
    }),
  ];
};

const resourceReply = (status: number, resource: Resource) =>
  apiReply(status, full(resource), etag(contentRevision(resource)));

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
