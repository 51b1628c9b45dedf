import { isoTime } from '../../../platform/rules/time.ts';
import * as z from 'zod';
import { apiReply } from '../../../platform/http/reply.ts';
import { listTokens, mintToken, revokeToken } from '../../steps/access/minted-tokens.ts';
import { PERSONS } from '../../../accounts/rules/permission.ts';
import { MINTED_MAX_SECONDS } from '../../../tokens/rules/own-jwts.ts';
import { jsonBody } from '../../../api/body.ts';
import { line } from '../../../platform/rules/shape.ts';
import { pageBody, pageOf, pageQuery } from '../../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';
import type { PortsOf } from '../../../platform/ports.ts';

const Wanted = z.strictObject({
  expires_in: z.int().min(1).max(MINTED_MAX_SECONDS).optional().meta({
    description:
      'Seconds. The most, and what it is if omitted: a day in mode `jwt`, an hour in mode `oauth`.',
  }),
  scope: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Names between spaces; both tool scopes if omitted.' }),
  name: z.optional(line(200)),
});

const Minted = z.object({
  token: z.string().meta({ description: 'The JWT. It is shown this once.' }),
  jti: z.string(),
  name: z.string().optional(),
  scope: z.string(),
  expires_at: z.iso.datetime(),
});
const Known = Minted.omit({ token: true }).extend({
  revoked: z.boolean(),
  created_at: z.iso.datetime(),
});

type Listed = Awaited<ReturnType<typeof listTokens>>['items'][number];

const PATH = '/deployments/{slug}/tokens';
const LIST = 'tokens';

/** Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
export const mintedTokenRoutes = (
  ports: PortsOf<typeof mintToken | typeof listTokens | typeof revokeToken>,
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'POST',
    path: PATH,
    operationId: 'mintToken',
    effects: ['minting'],
    whileManaged: () => true,
    tag: 'tokens',
    summary: 'Mints a token that calls as the owner; in mode `oauth` for an hour at most.',
    body: jsonBody(Wanted),
    answers: { 201: { description: 'The token.', schema: Minted } },
    handle: async ({ user, may, parameters: { slug }, body }) => {
      const { expires_in: expiresInSeconds, scope, name } = body;
      const wanted = { ownerId: user.id, slug, expiresInSeconds, scope, name, minter: user };
      const { token, jti, scopes, expiresAt } = await mintToken(ports, may, wanted);
      return apiReply(201, {
        token,
        jti,
        ...(name !== undefined && { name }),
        scope: scopes.join(' '),
        expires_at: isoTime(expiresAt),
      } satisfies z.input<typeof Minted>);
    },
  }),
  ownerRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listTokens',
    effects: [],
    tag: 'tokens',
    summary: 'The minted tokens, the newest first, without their values.',
    query: pageQuery(LIST),
    answers: { 200: { description: 'A page.', schema: pageOf(Known) } },
    handle: async ({ user, parameters: { slug }, query: { limit, cursor: after } }) => {
      const { items, next } = await listTokens(ports, { owner: user, slug }, { limit, after });
      return apiReply(200, pageBody(LIST, items.map(known), next));
    },
  }),
  ownerRoute({
    method: 'DELETE',
    path: `${PATH}/{jti}`,
    operationId: 'revokeToken',
    effects: ['removal'],
    whileManaged: () => true,
    tag: 'tokens',
    summary: 'Ends a token at once. Also one that has ended.',
    answers: { 204: { description: 'It is no longer accepted.' } },
    handle: async ({ user, parameters: { slug, jti } }) => {
      await revokeToken(ports, { ownerId: user.id, slug, jti });
      return apiReply(204);
    },
  }),
];

const known = (token: Listed): z.input<typeof Known> => ({
  jti: token.jti,
  ...(token.name !== undefined && { name: token.name }),
  scope: token.scopes.join(' '),
  revoked: token.revoked,
  created_at: isoTime(token.createdAt),
  expires_at: isoTime(token.expiresAt),
});

export const MintTokenCommand = z.strictObject({
  ownerId: z.string().min(1).max(128),
  slug: z.string(),
  expiresInSeconds: z.number().optional(),
  scope: z.string().max(200).optional(),
  name: z.string().min(1).max(200).optional(),
});

/** The answer holds the token, which is shown only this once. */
export const mintTokenCommand =
  (ports: PortsOf<typeof mintToken>) => async (command: z.infer<typeof MintTokenCommand>) => {
    const { scopes, ...minted } = await mintToken(ports, PERSONS, command);
    return { ...minted, scope: scopes.join(' ') };
  };

export const RevokeTokenCommand = z.strictObject({
  ownerId: z.string().min(1).max(128).optional(),
  slug: z.string(),
  jti: z.string().min(1).max(128),
});

export const revokeTokenCommand =
  (ports: PortsOf<typeof revokeToken>) => async (command: z.infer<typeof RevokeTokenCommand>) => {
    await revokeToken(ports, command);
    return {};
  };
