import { isoTime } from '../../../platform/rules/time.ts';
import * as z from 'zod';
import { apiReply } from '../../../platform/http/reply.ts';
import { bodyOf, shownMembers } from '../../../platform/rules/shape.ts';
import { jsonBody } from '../../../api/body.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';
import { type StoredPersonalToken, PersonalToken } from '../../../accounts/rules/personal-token.ts';
import {
  endPersonalToken,
  listPersonalTokens,
  makePersonalToken,
} from '../../../accounts/steps/personal-tokens.ts';
import type { PortsOf } from '../../../platform/ports.ts';

const { name, scope, slugs, usedOn } = PersonalToken.shape;

const Wanted = z.strictObject({
  name,
  scope,
  slugs: z.optional(slugs.def.innerType),
  days: z.int().min(1).optional().meta({
    description: 'How long it lives; as long as the service allows, 90 days as a rule, if omitted.',
  }),
});

const Shown = z.object({
  id: z.string(),
  ...shownMembers({ name, scope, slugs, usedOn }),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
const Made = Shown.extend({
  token: z.string().meta({ description: 'Shown this once: nobody can show it again.' }),
});

const PATH = '/account/tokens';

/** Source: docs/decisions/accounts.md, "Personal access tokens". */
export const personalTokenRoutes = (
  ports: PortsOf<typeof makePersonalToken>,
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'POST',
    path: PATH,
    operationId: 'makePersonalToken',
    effects: ['minting'],
    forTokens: 'never',
    tag: 'account',
    summary:
      'Makes a token for a program of yours, such as a pipeline. Within ten minutes of a sign-in.',
    body: jsonBody(Wanted),
    answers: { 201: { description: 'It, with its text.', schema: Made } },
    handle: async ({ user, may, session, body }) => {
      const { slugs: only, ...wanted } = body;
      const made = await makePersonalToken(ports, may, user, session, {
        ...wanted,
        ...(only && { slugs: only }),
      });
      return apiReply(201, { ...tokenBody(made), token: made.text });
    },
  }),
  ownerRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listPersonalTokens',
    effects: [],
    forTokens: 'never',
    tag: 'account',
    summary: 'Your personal access tokens, the newest first; never their texts.',
    answers: {
      200: { description: 'All of them.', schema: z.object({ items: z.array(Shown) }) },
    },
    handle: async ({ user }) => {
      const items = (await listPersonalTokens(ports, user)).map(tokenBody);
      return apiReply(200, { items });
    },
  }),
  ownerRoute({
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operationId: 'endPersonalToken',
    effects: ['removal'],
    forTokens: 'never',
    tag: 'account',
    summary: 'Ends a token at once.',
    answers: { 204: { description: 'It gives no access any more.' } },
    handle: async ({ user, parameters: { id } }) => {
      await endPersonalToken(ports, user, id);
      return apiReply(204);
    },
  }),
];

const tokenBody = ({ id, token }: StoredPersonalToken): z.input<typeof Shown> => {
  const times = { createdAt: isoTime(token.createdAt), expiresAt: isoTime(token.expiresAt) };
  return bodyOf(Shown, { id, ...token, ...times });
};
