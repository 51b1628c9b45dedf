import { apiReply } from '../../../platform/http/reply.ts';
import {
  findJwtIssuer,
  type JwtIssuerPorts,
  removeJwtIssuer,
  setJwtIssuer,
} from '../../steps/access/jwt-issuer.ts';
import { JWT_ALGORITHMS } from '../../../tokens/rules/jwt/jwt-issuer.ts';
import * as z from 'zod';
import { jsonBody } from '../../../api/body.ts';
import { etag, ifMatchNumber } from '../../../api/etag.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';

const Issuer = z.strictObject({
  issuer: z.string().min(1).max(2048).meta({ description: 'Compared byte for byte with `iss`.' }),
  jwks_uri: z.url({ protocol: /^https?$/ }).max(2048),
  audience: z.string().min(1).max(2048),
  algorithms: z.array(z.enum(JWT_ALGORITHMS)).min(1).max(JWT_ALGORITHMS.length),
});

type JwtIssuer = Awaited<ReturnType<typeof findJwtIssuer>>['issuer'];

const PATH = '/deployments/{slug}/jwt-issuer';
const ETAG = { ETag: "The deployment's revision." };

/** Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
export const jwtIssuerRoutes = (ports: JwtIssuerPorts): readonly ApiRoute[] => [
  ownerRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'setJwtIssuer',
    tag: 'jwt-issuer',
    summary: 'Sets the external issuer whose tokens mode `jwt` accepts, in place of any other.',
    body: jsonBody(Issuer),
    answers: { 200: { description: 'What was set.', schema: Issuer, headers: ETAG } },
    refusals: ['not_found', 'conflict'],
    conditional: true,
    handle: async ({ event, user, parameters: { slug }, body }) => {
      const { jwks_uri: jwksUri, ...rest } = body;
      const issuer = { ...rest, jwksUri };
      const wanted = { ownerId: user.id, slug, issuer, revisions: ifMatchNumber(event) };
      const { deployment } = await setJwtIssuer(ports, wanted);
      return apiReply(200, body, etag(deployment.revision));
    },
  }),
  ownerRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getJwtIssuer',
    tag: 'jwt-issuer',
    summary: 'The external issuer.',
    answers: { 200: { description: 'The issuer.', schema: Issuer, headers: ETAG } },
    refusals: ['not_found'],
    handle: async ({ user, parameters: { slug } }) => {
      const { deployment, issuer } = await findJwtIssuer(ports, { ownerId: user.id, slug });
      return apiReply(200, bodyOf(issuer), etag(deployment.revision));
    },
  }),
  ownerRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'removeJwtIssuer',
    tag: 'jwt-issuer',
    summary: 'Trusts no external issuer any more. Also where there is none.',
    answers: { 204: { description: 'There is none any more.' } },
    refusals: ['not_found', 'conflict'],
    conditional: true,
    handle: async ({ event, user, parameters: { slug } }) => {
      await removeJwtIssuer(ports, { ownerId: user.id, slug, revisions: ifMatchNumber(event) });
      return apiReply(204);
    },
  }),
];

const bodyOf = ({ jwksUri, algorithms, ...issuer }: JwtIssuer): z.input<typeof Issuer> => ({
  ...issuer,
  jwks_uri: jwksUri,
  algorithms: [...algorithms],
});
