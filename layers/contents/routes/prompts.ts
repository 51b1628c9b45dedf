import * as z from 'zod';
import * as mini from 'zod/mini';
import { jsonBody } from '../../api/body.ts';
import { etag, ifMatch } from '../../api/request.ts';
import { pageBody, pageOf, pageQuery, pageWithin } from '../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import { apiReply } from '../../platform/http/reply.ts';
import { sentOf, shownMembers } from '../../platform/rules/shape.ts';
import { contentRevision } from '../../deployments/rules/content-revision.ts';
import { Prompt, PromptArgument } from '../rules/contents.ts';
import { checkSameName, ownPrompts, type PromptPorts } from '../steps/contents.ts';

const NewPrompt = sentOf(Prompt);
const Replacement = sentOf(mini.extend(Prompt, { name: mini.exactOptional(Prompt.shape.name) }));

const Preview = z.strictObject({ arguments: z.record(z.string(), z.unknown()).default({}) });
/** A prompt that is not stored, and what to fill in to try it. */
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

const PATH = '/deployments/{slug}/prompts';
const PREVIEWS = '/deployments/{slug}/prompt-previews';
const LIST = 'prompts';
const TAGGED = { ETag: 'Its revision, for If-Match.' };
const MAX_BYTES = 2 * 1024 * 1024;

export const promptRoutes = (ports: PromptPorts): readonly ApiRoute[] => {
  const prompts = ownPrompts(ports);
  return [
    ownerRoute({
      method: 'POST',
      path: PATH,
      operationId: 'createPrompt',
      effects: [],
      tag: 'prompts',
      summary: 'Adds a prompt. A template that does not parse is refused, with line and column.',
      body: jsonBody(NewPrompt, { maxBytes: MAX_BYTES }),
      answers: { 201: { description: 'The prompt.', schema: Full, headers: TAGGED } },
      refusals: ['not_found', 'conflict', 'limit_reached'],
      handle: async ({ user, parameters: { slug }, body }) => {
        const owned = { ownerId: user.id, slug };
        return promptReply(201, await prompts.create(owned, body));
      },
    }),
    ownerRoute({
      method: 'GET',
      path: PATH,
      operationId: 'listPrompts',
      effects: [],
      tag: 'prompts',
      summary: 'The prompts of the deployment by name, without their templates and values.',
      query: pageQuery(LIST),
      answers: { 200: { description: 'A page.', schema: pageOf(Listed) } },
      refusals: ['not_found'],
      handle: async ({ user, parameters: { slug }, query }) => {
        const all = await prompts.list({ ownerId: user.id, slug });
        const { items, next } = pageWithin(all, query, listed);
        return apiReply(200, pageBody(LIST, items, next));
      },
    }),
    ownerRoute({
      method: 'GET',
      path: `${PATH}/{name}`,
      operationId: 'getPrompt',
      effects: [],
      tag: 'prompts',
      summary: 'One prompt.',
      answers: { 200: { description: 'The prompt.', schema: Full, headers: TAGGED } },
      refusals: ['not_found'],
      handle: async ({ user, parameters: { slug, name } }) =>
        promptReply(200, await prompts.find({ ownerId: user.id, slug }, name)),
    }),
    ownerRoute({
      method: 'PUT',
      path: `${PATH}/{name}`,
      operationId: 'replacePrompt',
      effects: [],
      conditional: true,
      tag: 'prompts',
      summary: 'Replaces a prompt whole; its name stays.',
      body: jsonBody(Replacement, { maxBytes: MAX_BYTES }),
      answers: { 200: { description: 'The prompt.', schema: Full, headers: TAGGED } },
      refusals: ['not_found', 'stale', 'limit_reached'],
      handle: async ({ event, user, parameters: { slug, name }, body }) => {
        checkSameName(name, body.name);
        const owned = { ownerId: user.id, slug };
        return promptReply(200, await prompts.replace(owned, { ...body, name }, ifMatch(event)));
      },
    }),
    ownerRoute({
      method: 'DELETE',
      path: `${PATH}/{name}`,
      operationId: 'removePrompt',
      effects: ['removal'],
      conditional: true,
      tag: 'prompts',
      summary: 'Removes a prompt.',
      answers: { 204: { description: 'It is gone.' } },
      refusals: ['not_found', 'stale'],
      handle: async ({ event, user, parameters: { slug, name } }) => {
        await prompts.remove({ ownerId: user.id, slug }, name, ifMatch(event));
        return apiReply(204);
      },
    }),
    ownerRoute({
      method: 'POST',
      path: `${PATH}/{name}/render`,
      operationId: 'renderPrompt',
      effects: [],
      whileManaged: () => true,
      isUnrecorded: true,
      tag: 'prompts',
      summary: 'Shows what a client gets for some arguments.',
      body: jsonBody(Preview),
      answers: { 200: { description: 'The result of `prompts/get`.', schema: Rendered } },
      refusals: ['not_found'],
      handle: async ({ user, parameters: { slug, name }, body }) => {
        const owned = { ownerId: user.id, slug };
        return apiReply(200, await prompts.render(owned, name, body.arguments));
      },
    }),
    ownerRoute({
      method: 'POST',
      path: PREVIEWS,
      operationId: 'previewPrompt',
      effects: [],
      whileManaged: () => true,
      isUnrecorded: true,
      tag: 'prompts',
      summary:
        'Renders a prompt that is not stored, as a client would get it: checked like a stored one, and not stored.',
      body: jsonBody(Draft, { maxBytes: MAX_BYTES }),
      answers: { 200: { description: 'The result of `prompts/get`.', schema: Rendered } },
      refusals: ['not_found', 'limit_reached'],
      handle: async ({ user, parameters: { slug }, body }) => {
        const { given, ...draft } = body;
        const owned = { ownerId: user.id, slug };
        return apiReply(200, await prompts.preview(owned, { ...draft, name: 'preview' }, given));
      },
    }),
  ];
};

const promptReply = (status: number, prompt: Prompt) =>
  apiReply(status, prompt, etag(contentRevision(prompt)));

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
