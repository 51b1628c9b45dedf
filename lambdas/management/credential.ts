import { apiReply } from '@hosted-mcp/core/http';
import {
  describeCredential,
  removeCredential,
  type RemoveCredentialPorts,
  setCredential,
  type SetCredentialPorts,
} from '@hosted-mcp/core/management';
import * as z from 'zod';
import { jsonBody } from './frame/body.ts';
import { etag, ifMatchNumber } from './frame/etag.ts';
import { isoTime } from './frame/iso-time.ts';
import { type ApiRoute, ownerRoute } from './frame/route.ts';

export type CredentialPorts = SetCredentialPorts & RemoveCredentialPorts;

const place = z.enum(['header', 'query', 'cookie']);
const secret = z.string().meta({ writeOnly: true });

/** What can be sent of each is for the domain to say. */
const Credential = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bearer'), token: secret }),
  z.strictObject({ type: z.literal('api_key'), name: z.string(), in: place, value: secret }),
  z.strictObject({ type: z.literal('basic'), username: z.string(), password: secret }),
]);

const Described = z.object({
  type: z.enum(['bearer', 'api_key', 'basic']),
  name: z.string().optional(),
  in: place.optional(),
  set_at: z.iso.datetime(),
});

const PATH = '/deployments/{slug}/credential';
const ETAG = { ETag: "The deployment's revision." };

/** Write-only: no answer has a credential's value. Source: management-api.md, "Credentials". */
export const credentialRoutes = (ports: CredentialPorts): readonly ApiRoute[] => [
  ownerRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'setCredential',
    tag: 'credential',
    summary: 'Sets the credential that calls to the target API carry, in place of any other.',
    body: jsonBody(Credential),
    answers: { 200: { description: 'What was set.', schema: Described, headers: ETAG } },
    refusals: ['not_found', 'conflict'],
    conditional: true,
    handle: async ({ event, user, parameters: { slug }, body }) => {
      const revisions = ifMatchNumber(event);
      const wanted = { ownerId: user.id, slug, credential: body, revisions };
      const { deployment, credential } = await setCredential(ports, wanted);
      return apiReply(200, described(credential), etag(deployment.revision));
    },
  }),
  ownerRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getCredential',
    tag: 'credential',
    summary: 'Of which type the credential is, and when it was set; never its value.',
    answers: { 200: { description: 'The credential.', schema: Described, headers: ETAG } },
    refusals: ['not_found'],
    handle: async ({ user, parameters: { slug } }) => {
      const owned = { ownerId: user.id, slug };
      const { deployment, credential } = await describeCredential(ports, owned);
      return apiReply(200, described(credential), etag(deployment.revision));
    },
  }),
  ownerRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'removeCredential',
    tag: 'credential',
    summary: 'Removes the credential. Also where there is none.',
    answers: { 204: { description: 'There is none any more.' } },
    refusals: ['not_found', 'conflict'],
    conditional: true,
    handle: async ({ event, user, parameters: { slug } }) => {
      await removeCredential(ports, { ownerId: user.id, slug, revisions: ifMatchNumber(event) });
      return apiReply(204);
    },
  }),
];

type Credential = Awaited<ReturnType<typeof describeCredential>>['credential'];

const described = (credential: Credential): z.input<typeof Described> => ({
  type: credential.type,
  ...(credential.type === 'api_key' && { name: credential.name, in: credential.in }),
  set_at: isoTime(credential.setAt),
});
