import * as z from 'zod';
import * as mini from 'zod/mini';
import { jsonBody } from '../../api/body.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import { apiReply } from '../../platform/http/reply.ts';
import { sentOf, shownMembers } from '../../platform/rules/shape.ts';
import { Prompt, PromptArgument } from '../rules/contents.ts';
import { ownPrompts } from '../steps/contents.ts';
import { contentRoutes, MAX_CONTENT_BYTES } from './content-routes.ts';
import type { PortsOf } from '../../platform/ports.ts';

const NewPrompt = sentOf(Prompt);
const Replacement = sentOf(mini.extend(Prompt, { name: mini.exactOptional(Prompt.shape.name) }));

const Preview = z.strictObject({ arguments: z.record(z.string(), z.unknown()).default({}) });
/** A prompt that is not stored, and arguments to try it with. */
const Draft = sentOf(
  mini.extend(mini.omit(Prompt, { name: true }), { given: Preview.shape.arguments }),
);
const Rendered = z.object({
  description: z.string().optional(),
  messages: z.array(
    z.object({
      role: z.literal('user'),
      content: z.object({ type: z.literal('text'), text: z.string() }),
    }),
  ),
});

const Argument = z.object({
  ...shownMembers(PromptArgument.shape),
  values: PromptArgument.shape.values,
});
const Full = z.object({ ...shownMembers(Prompt.shape), arguments: z.array(Argument) });
const Listed = Full.omit({ template: true }).extend({
  arguments: z.array(
    Argument.omit({ values: true }).extend({
      value_count: z.int().meta({ description: 'How many values there are.' }).optional(),
    }),
  ),
});

export const promptRoutes = (ports: PortsOf<typeof ownPrompts>): readonly ApiRoute[] => {
  const prompts = ownPrompts(ports);
  return [
    ...contentRoutes(prompts, {
      what: 'prompt',
      created: NewPrompt,
      replacement: Replacement,
      named: (sent, name) => ({ ...sent, name }),
      listed: Listed,
      full: Full,
      show: (prompt) => prompt,
      list: listed,
      summaries: {
        create: 'Adds a prompt. A template that does not parse is refused, with line and column.',
        list: 'The prompts of the deployment by name, without their templates and values.',
        get: 'One prompt.',
      },
    }),
    ownerRoute({
      method: 'POST',
      path: '/deployments/{slug}/prompts/{name}/render',
      operationId: 'renderPrompt',
      effects: [],
      whileManaged: () => true,
      isUnrecorded: true,
      tag: 'prompts',
      summary: 'Shows what a client gets for some arguments.',
      body: jsonBody(Preview),
      answers: { 200: { description: 'The result of `prompts/get`.', schema: Rendered } },
      handle: async ({ user, parameters: { slug, name }, body }) => {
        const owned = { ownerId: user.id, slug };
        return apiReply(200, await prompts.render(owned, name, body.arguments));
      },
    }),
    ownerRoute({
      method: 'POST',
      path: '/deployments/{slug}/prompt-previews',
      operationId: 'previewPrompt',
      effects: [],
      whileManaged: () => true,
      isUnrecorded: true,
      tag: 'prompts',
      summary:
        'Renders a prompt that is not stored, as a client would get it: checked like a stored one, and not stored.',
      body: jsonBody(Draft, { maxBytes: MAX_CONTENT_BYTES }),
      answers: { 200: { description: 'The result of `prompts/get`.', schema: Rendered } },
      handle: async ({ user, parameters: { slug }, body }) => {
        const { given, ...draft } = body;
        const owned = { ownerId: user.id, slug };
        return apiReply(200, await prompts.preview(owned, { ...draft, name: 'preview' }, given));
      },
    }),
  ];
};

const listed = (prompt: Prompt) => {
  const { template: _, arguments: declared, ...rest } = prompt;
  return {
    ...rest,
    arguments: declared.map(({ values, ...argument }) => ({
      ...argument,
      value_count: values?.length,
    })),
  };
};
