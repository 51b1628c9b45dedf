import { isoTime } from '../../../platform/rules/time.ts';
import * as z from 'zod';
import { apiReply } from '../../../platform/http/reply.ts';
import { bodyOf, shownMembers } from '../../../platform/rules/shape.ts';
import { jsonBody } from '../../../api/body.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';
import { GITHUB, type KeptTrust, Trust } from '../../../accounts/rules/trust.ts';
import { endTrust, listTrusts, makeTrust } from '../../../accounts/steps/trusts.ts';
import type { PortsOf } from '../../../platform/ports.ts';

const { name, issuer, jwksUri, claims, scope, slugs, usedOn } = Trust.shape;

const Wanted = z.strictObject({
  name,
  issuer: z._default(issuer, GITHUB),
  jwks_uri: z.optional(jwksUri.def.innerType),
  claims,
  scope,
  slugs: z.optional(slugs.def.innerType),
});

const Shown = z.object({
  id: z.string(),
  ...shownMembers({ name, issuer, jwksUri, claims, scope, slugs, usedOn }),
  created_at: z.iso.datetime(),
});

const PATH = '/account/trusts';

/** Source: docs/decisions/accounts.md, "Machines without a secret". */
export const trustRoutes = (ports: PortsOf<typeof makeTrust>): readonly ApiRoute[] => [
  ownerRoute({
    method: 'POST',
    path: PATH,
    operationId: 'makeTrust',
    effects: ['minting'],
    forTokens: 'never',
    tag: 'account',
    summary:
      'Lets a machine sign in for you without a secret, by what an issuer such as GitHub Actions says of it. Within ten minutes of a sign-in.',
    body: jsonBody(Wanted),
    answers: { 201: { description: 'It.', schema: Shown } },
    handle: async ({ user, may, session, body }) => {
      const { jwks_uri: keys, slugs: only, ...wanted } = body;
      const made = await makeTrust(ports, may, user, session, {
        ...wanted,
        ...(keys !== undefined && { jwksUri: keys }),
        ...(only && { slugs: only }),
      });
      return apiReply(201, trustBody(made));
    },
  }),
  ownerRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listTrusts',
    effects: [],
    forTokens: 'never',
    tag: 'account',
    summary: 'Which machines may sign in for you, the newest first.',
    answers: {
      200: { description: 'All of them.', schema: z.object({ items: z.array(Shown) }) },
    },
    handle: async ({ user }) =>
      apiReply(200, { items: (await listTrusts(ports, user)).map(trustBody) }),
  }),
  ownerRoute({
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operationId: 'endTrust',
    effects: ['removal'],
    forTokens: 'never',
    tag: 'account',
    summary: 'Trusts a machine no more. What it signed in to ends within 15 minutes.',
    answers: { 204: { description: 'It signs in no more.' } },
    handle: async ({ user, parameters: { id } }) => {
      await endTrust(ports, user, id);
      return apiReply(204);
    },
  }),
];

const trustBody = ({ id, trust }: KeptTrust): z.input<typeof Shown> =>
  bodyOf(Shown, { id, ...trust, createdAt: isoTime(trust.createdAt) });
