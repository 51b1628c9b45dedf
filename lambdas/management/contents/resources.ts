import { apiReply } from '@hosted-mcp/core/http';
import {
  AUDIENCES,
  contentRevision,
  ownResources,
  type ResourcePorts,
} from '@hosted-mcp/core/management';
import * as z from 'zod';
import { jsonBody } from '../frame/body.ts';
import { checkSameName, contentName, description, title } from '../frame/content.ts';
import { etag, ifMatch } from '../frame/etag.ts';
import { pageBody, pageOf, pageQuery, pageWithin } from '../frame/page.ts';
import { isoTime } from '../frame/iso-time.ts';
import { type ApiRoute, ownerRoute } from '../frame/route.ts';

const uri = z
  .string()
  .min(1)
  .max(2048)
  .meta({ description: 'Absolute; with RFC 6570 variables it is a template.' });
const encoding = z
  .enum(['text', 'base64'])
  .meta({ description: 'What `content` is: the text itself, or bytes as base64.' });

const audience = z
  .array(z.enum(AUDIENCES))
  .min(1)
  .max(AUDIENCES.length)
  .refine((all) => new Set(all).size === all.length, { error: 'Name each once.' })
  .meta({ description: 'Whom it is for: people, models, or both.' });
const priority = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'How much it matters: 1 is required, 0 is optional.' });

const fields = {
  uri,
  title: title.optional(),
  description: description.optional(),
  mime_type: z.string().min(1).max(255).optional(),
  audience: audience.optional(),
  priority: priority.optional(),
  content: z.string().meta({
    description: 'In the text of a template `{{variable}}` stands for what was asked with.',
  }),
  encoding: encoding.default('text'),
};
const Replacement = z.strictObject({ name: contentName.optional(), ...fields });
const NewResource = z.strictObject({ name: contentName, ...fields });

const Listed = z.object({
  name: z.string(),
  uri: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mime_type: z.string().optional(),
  audience: z.array(z.enum(AUDIENCES)).optional(),
  priority: z.number().optional(),
  encoding,
  size: z.int().meta({ description: 'Of the content as it was sent, in bytes.' }),
  updated_at: z.iso
    .datetime()
    .optional()
    .meta({ description: 'Absent where it was written before this was kept.' }),
});
const Whole = Listed.extend({ content: z.string() });

type Resource = Awaited<ReturnType<ReturnType<typeof ownResources>['find']>>;

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
      tag: 'resources',
      summary: 'Adds a document that clients can read, or a template of documents.',
      body: jsonBody(NewResource, { maxBytes: MAX_BYTES }),
      answers: { 201: { description: 'The resource.', schema: Whole, headers: TAGGED } },
      refusals: ['not_found', 'conflict', 'limit_reached'],
      handle: async ({ user, parameters: { slug }, body }) => {
        const wanted = resourceOf(body.name, body);
        return shown(201, await resources.create({ ownerId: user.id, slug }, wanted));
      },
    }),
    ownerRoute({
      method: 'GET',
      path: PATH,
      operationId: 'listResources',
      tag: 'resources',
      summary: 'The resources of the deployment by name, without their content.',
      query: pageQuery(LIST),
      answers: { 200: { description: 'A page.', schema: pageOf(Listed) } },
      refusals: ['not_found'],
      handle: async ({ user, parameters: { slug }, query }) => {
        const all = await resources.list({ ownerId: user.id, slug });
        const { items, next } = pageWithin(all, query);
        return apiReply(200, pageBody(LIST, items.map(listed), next));
      },
    }),
    ownerRoute({
      method: 'GET',
      path: `${PATH}/{name}`,
      operationId: 'getResource',
      tag: 'resources',
      summary: 'One resource with its content.',
      answers: { 200: { description: 'The resource.', schema: Whole, headers: TAGGED } },
      refusals: ['not_found'],
      handle: async ({ user, parameters: { slug, name } }) =>
        shown(200, await resources.find({ ownerId: user.id, slug }, name)),
    }),
    ownerRoute({
      method: 'PUT',
      path: `${PATH}/{name}`,
      operationId: 'replaceResource',
      conditional: true,
      tag: 'resources',
      summary: 'Replaces a resource whole; its name stays.',
      body: jsonBody(Replacement, { maxBytes: MAX_BYTES }),
      answers: { 200: { description: 'The resource.', schema: Whole, headers: TAGGED } },
      refusals: ['not_found', 'stale', 'conflict', 'limit_reached'],
      handle: async ({ event, user, parameters: { slug, name }, body }) => {
        checkSameName(name, body.name);
        const owned = { ownerId: user.id, slug };
        return shown(200, await resources.replace(owned, resourceOf(name, body), ifMatch(event)));
      },
    }),
    ownerRoute({
      method: 'DELETE',
      path: `${PATH}/{name}`,
      operationId: 'removeResource',
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

const shown = (status: number, resource: Resource) =>
  apiReply(status, whole(resource), etag(contentRevision(resource)));

const resourceOf = (name: string, sent: z.output<typeof Replacement>): Resource => ({
  name,
  uri: sent.uri,
  ...(sent.title !== undefined && { title: sent.title }),
  ...(sent.description !== undefined && { description: sent.description }),
  ...(sent.mime_type !== undefined && { mimeType: sent.mime_type }),
  ...(sent.audience && { audience: sent.audience }),
  ...(sent.priority !== undefined && { priority: sent.priority }),
  content: sent.content,
  encoding: sent.encoding,
});

const listed = (resource: Resource): z.input<typeof Listed> => {
  const { mimeType, content, audience: whom, updatedAt, ...rest } = resource;
  return {
    ...rest,
    ...(mimeType !== undefined && { mime_type: mimeType }),
    ...(whom && { audience: [...whom] }),
    size: Buffer.byteLength(content),
    ...(updatedAt !== undefined && { updated_at: isoTime(updatedAt) }),
  };
};

const whole = (resource: Resource): z.input<typeof Whole> => ({
  ...listed(resource),
  content: resource.content,
});
