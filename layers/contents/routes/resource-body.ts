import { AUDIENCES } from '../../servers/rules/deployment.ts';
import type { ownResources } from '../steps/resources.ts';
import * as z from 'zod';
import { contentName, description, title, valueCount, values } from '../../api/content.ts';
import { isoTime } from '../../api/iso-time.ts';

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

const variables = z
  .array(z.strictObject({ name: z.string().min(1).max(100), values }))
  .max(50)
  .meta({ description: 'Of a template: what its variables can be completed with.' });

const fields = {
  uri,
  title: title.optional(),
  description: description.optional(),
  mime_type: z.string().min(1).max(255).optional(),
  audience: audience.optional(),
  priority: priority.optional(),
  variables: variables.optional(),
  content: z.string().meta({
    description:
      'In the text of a template, `{{variable}}` is replaced by its value in the request.',
  }),
  encoding: encoding.default('text'),
};
export const Replacement = z.strictObject({ name: contentName.optional(), ...fields });
export const NewResource = z.strictObject({ name: contentName, ...fields });

export const Listed = z.object({
  name: z.string(),
  uri: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mime_type: z.string().optional(),
  audience: z.array(z.enum(AUDIENCES)).optional(),
  priority: z.number().optional(),
  variables: z.array(z.object({ name: z.string(), value_count: valueCount })).optional(),
  encoding,
  size: z.int().meta({ description: 'Of the content as it was sent, in bytes.' }),
  updated_at: z.iso
    .datetime()
    .optional()
    .meta({ description: 'Absent where it was written before this was recorded.' }),
});
export const Whole = Listed.extend({ variables: variables.optional(), content: z.string() });

export type Resource = Awaited<ReturnType<ReturnType<typeof ownResources>['find']>>;

export const resourceOf = (name: string, sent: z.output<typeof Replacement>): Resource => ({
  name,
  uri: sent.uri,
  ...(sent.title !== undefined && { title: sent.title }),
  ...(sent.description !== undefined && { description: sent.description }),
  ...(sent.mime_type !== undefined && { mimeType: sent.mime_type }),
  ...(sent.audience && { audience: sent.audience }),
  ...(sent.priority !== undefined && { priority: sent.priority }),
  ...(sent.variables && { variables: sent.variables }),
  content: sent.content,
  encoding: sent.encoding,
});

export const listed = (resource: Resource): z.input<typeof Listed> => {
  const { mimeType, content, audience: whom, updatedAt, variables: known, ...rest } = resource;
  return {
    ...rest,
    ...(mimeType !== undefined && { mime_type: mimeType }),
    ...(whom && { audience: [...whom] }),
    ...(known && {
      variables: known.map(({ name, values: given }) => ({ name, value_count: given.length })),
    }),
    size: Buffer.byteLength(content),
    ...(updatedAt !== undefined && { updated_at: isoTime(updatedAt) }),
  };
};

export const whole = (resource: Resource): z.input<typeof Whole> => {
  const { variables: _, ...rest } = listed(resource);
  const known = resource.variables?.map(({ name, values: given }) => ({
    name,
    values: [...given],
  }));
  return { ...rest, ...(known && { variables: known }), content: resource.content };
};
