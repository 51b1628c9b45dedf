import type { ChangeDeploymentPorts } from '../../../deployments/steps/change-deployment.ts';
import * as z from 'zod/mini';
import { apiReply } from '../../../platform/http/reply.ts';
import { findJwtIssuer, removeJwtIssuer, setJwtIssuer } from '../../steps/access/jwt-issuer.ts';
import { lookAlikeFindings } from '../../../platform/rules/look-alike.ts';
import { isUnencrypted } from '../../../target/rules/target.ts';
import { sentOf, toWire, wireOf } from '../../../platform/rules/shape.ts';
import { JwtIssuer } from '../../../tokens/rules/jwt.ts';
import { jsonBody } from '../../../api/body.ts';
import { etag, ifMatch } from '../../../api/request.ts';
import { revisionTag } from '../../../deployments/rules/revision.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';

const Issuer = wireOf(JwtIssuer);

/** An external issuer decides who has access, so host names that look like others are refused. */
export const SentJwtIssuer = sentOf(JwtIssuer).check(
  z.refine(({ issuer }) => lookAlikeFindings('/issuer', issuer).length === 0, {
    path: ['issuer'],
    error: 'Names a host that reads as another one: write the name that is meant.',
  }),
  z.refine(({ jwksUri }) => !isUnencrypted(jwksUri), {
    path: ['jwks_uri'],
    error: 'Is not encrypted, so that its keys are not fetched: use https.',
  }),
);

const PATH = '/deployments/{slug}/jwt-issuer';
const ETAG = { ETag: "The deployment's revision." };

/** Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
export const jwtIssuerRoutes = (ports: ChangeDeploymentPorts): readonly ApiRoute[] => [
  ownerRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'setJwtIssuer',
    effects: [],
    tag: 'jwt-issuer',
    summary: 'Sets the external issuer whose tokens mode `jwt` accepts, in place of any other.',
    body: jsonBody(SentJwtIssuer),
    answers: { 200: { description: 'What was set.', schema: Issuer, headers: ETAG } },
    conditional: true,
    handle: async ({ event, user, parameters: { slug }, body }) => {
      const wanted = { ownerId: user.id, slug, issuer: body, revisions: ifMatch(event) };
      const deployment = await setJwtIssuer(ports, wanted);
      return apiReply(200, toWire(JwtIssuer, body), etag(revisionTag(deployment)));
    },
  }),
  ownerRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getJwtIssuer',
    effects: [],
    tag: 'jwt-issuer',
    summary: 'The external issuer.',
    answers: { 200: { description: 'The issuer.', schema: Issuer, headers: ETAG } },
    handle: async ({ user, parameters: { slug } }) => {
      const { deployment, issuer } = await findJwtIssuer(ports, { ownerId: user.id, slug });
      return apiReply(200, toWire(JwtIssuer, issuer), etag(revisionTag(deployment)));
    },
  }),
  ownerRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'removeJwtIssuer',
    effects: ['removal'],
    tag: 'jwt-issuer',
    summary: 'Trusts no external issuer any more. Also where there is none.',
    answers: { 204: { description: 'There is none any more.' } },
    conditional: true,
    handle: async ({ event, user, parameters: { slug } }) => {
      await removeJwtIssuer(ports, { ownerId: user.id, slug, revisions: ifMatch(event) });
      return apiReply(204);
    },
  }),
];
