import type * as z from 'zod';
import { jsonBody } from '../../api/body.ts';
import { pageBody, pageOf, pageQuery, pageWithin } from '../../api/page.ts';
import { etag, ifMatch } from '../../api/request.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import { contentRevision } from '../../deployments/rules/content-revision.ts';
import { apiReply } from '../../platform/http/reply.ts';
import { checkSameName, type OwnedContents } from '../steps/contents.ts';

/** Names, schemas and texts by which the routes of prompts differ from those of resources. */
interface RoutedKind<Content extends { readonly name: string }, Replacement> {
  readonly what: 'prompt' | 'resource';
  readonly created: z.core.$ZodType<Content>;
  readonly replacement: z.core.$ZodType<Replacement>;
  /** Gives a replacement its name, which cannot change. */
  readonly named: (sent: Replacement, name: string) => Content;
  readonly listed: z.ZodType;
  readonly full: z.ZodType;
  readonly show: (content: Content) => object;
  readonly list: (content: Content) => object;
  readonly summaries: Readonly<Record<'create' | 'list' | 'get', string>>;
}

export const MAX_CONTENT_BYTES = 2 * 1024 * 1024;

export const contentRoutes = <
  Content extends { readonly name: string },
  Replacement extends { readonly name?: string | undefined },
>(
  contents: OwnedContents<Content>,
  kind: RoutedKind<Content, Replacement>,
): readonly ApiRoute[] => {
  const { what, summaries } = kind;
  const tag = `${what}s` as const;
  const noun = what === 'prompt' ? 'Prompt' : 'Resource';
  const path = `/deployments/{slug}/${tag}` as const;
  const one = `${path}/{name}` as const;
  const body = { maxBytes: MAX_CONTENT_BYTES };
  const shown = {
    description: `The ${what}.`,
    schema: kind.full,
    headers: { ETag: 'Its revision, for If-Match.' },
  };
  const reply = (status: number, content: Content) =>
    apiReply(status, kind.show(content), etag(contentRevision(content)));
  return [
    ownerRoute({
      method: 'POST',
      path,
      operationId: `create${noun}`,
      effects: [],
      tag,
      summary: summaries.create,
      body: jsonBody(kind.created, body),
      answers: { 201: shown },
      handle: async ({ user, parameters: { slug }, body: sent }) =>
        reply(201, await contents.create({ ownerId: user.id, slug }, sent)),
    }),
    ownerRoute({
      method: 'GET',
      path,
      operationId: `list${noun}s`,
      effects: [],
      tag,
      summary: summaries.list,
      query: pageQuery(tag),
      answers: { 200: { description: 'A page.', schema: pageOf(kind.listed) } },
      handle: async ({ user, parameters: { slug }, query }) => {
        const all = await contents.list({ ownerId: user.id, slug });
        const { items, next } = pageWithin(all, query, kind.list);
        return apiReply(200, pageBody(tag, items, next));
      },
    }),
    ownerRoute({
      method: 'GET',
      path: one,
      operationId: `get${noun}`,
      effects: [],
      tag,
      summary: summaries.get,
      answers: { 200: shown },
      handle: async ({ user, parameters: { slug, name } }) =>
        reply(200, await contents.find({ ownerId: user.id, slug }, name)),
    }),
    ownerRoute({
      method: 'PUT',
      path: one,
      operationId: `replace${noun}`,
      effects: [],
      conditional: true,
      tag,
      summary: `Replaces a ${what} whole; its name stays.`,
      body: jsonBody(kind.replacement, body),
      answers: { 200: shown },
      handle: async ({ event, user, parameters: { slug, name }, body: sent }) => {
        checkSameName(name, sent.name);
        const owned = { ownerId: user.id, slug };
        return reply(200, await contents.replace(owned, kind.named(sent, name), ifMatch(event)));
      },
    }),
    ownerRoute({
      method: 'DELETE',
      path: one,
      operationId: `remove${noun}`,
      effects: ['removal'],
      conditional: true,
      tag,
      summary: `Removes a ${what}.`,
      answers: { 204: { description: 'It is gone.' } },
      handle: async ({ event, user, parameters: { slug, name } }) => {
        await contents.remove({ ownerId: user.id, slug }, name, ifMatch(event));
        return apiReply(204);
      },
    }),
  ];
};
