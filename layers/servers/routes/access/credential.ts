import type { DeploymentCredential } from '../../../credentials/rules/deployment-credential.ts';
import { apiReply } from '../../../platform/http/reply.ts';
import { sentOf, snakeMembers } from '../../../platform/rules/shape.ts';
import { openMembers, openPart, wholeCredential } from '../../../target/rules/credential.ts';
import {
  credentialOrigins,
  type CredentialOriginsPorts,
  removeCredential,
  type RemoveCredentialPorts,
  setCredential,
  type SetCredentialPorts,
} from '../../steps/credential/credential.ts';
import { credentialRefusals } from '../../steps/credential/credential-refusals.ts';
import { ownedDeployment } from '../../steps/deployments/owned-deployment.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { Ports } from '../../../ports.ts';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { jsonBody } from '../../../api/body.ts';
import { CredentialNeeds, credentialNeedsBody } from './credential-needs.ts';
import {
  CredentialRefused,
  credentialRefusedBody,
  Exposures,
  Warning,
} from '../deployment-body.ts';
import { etag, ifMatchNumber } from '../../../api/request.ts';
import { isoTime } from '../../../api/answer.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';

export type CredentialPorts = SetCredentialPorts &
  RemoveCredentialPorts &
  Pick<Ports, 'calls' | 'clock'> &
  CredentialOriginsPorts;

const origins = z
  .array(z.string())
  .meta({ description: 'The only origins (scheme, host, port) that it may be sent to.' });

/** What can be sent of each kind, `checkCredential` says. */
const Credential = sentOf(
  wholeCredential({
    origins: mini.exactOptional(mini.array(mini.string())).register(mini.globalRegistry, {
      description:
        'The only origins that it may be sent to; if omitted, that of the base address, and those of the served ' +
        'version that have the same registrable domain.',
    }),
  }),
);

const Described = z.object({ ...snakeMembers(openMembers), origins, set_at: z.iso.datetime() });

const Present = Described.extend({
  refused: CredentialRefused.optional(),
});

const WasSet = Described.extend({
  warnings: z.array(Warning).meta({
    description:
      'A password that can be guessed, and operations that are sent elsewhere: calls of them are refused.',
  }),
});

const Origins = z.object({
  origins: z
    .array(z.string())
    .meta({ description: 'Where a credential may go that is set without `origins`.' }),
  other_origins: z.array(z.string()).meta({
    description:
      'Where the served version would send it besides: name those in `origins` that it is meant for.',
  }),
  exposures: Exposures,
  needs: CredentialNeeds,
});

const PATH = '/deployments/{slug}/credential';
const ETAG = { ETag: "The deployment's revision." };

/** Write-only: no answer has a credential's value. Source: docs/decisions/credentials.md, "Credentials". */
export const credentialRoutes = (ports: CredentialPorts): readonly ApiRoute[] => [
  ownerRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'setCredential',
    tag: 'credential',
    summary: 'Sets the credential that calls to the target API carry, in place of any other.',
    body: jsonBody(Credential),
    answers: { 200: { description: 'What was set.', schema: WasSet, headers: ETAG } },
    refusals: ['not_found', 'conflict', 'rate_limited'],
    conditional: true,
    handle: async ({ event, user, parameters: { slug }, body }) => {
      const { origins: wantedOrigins, ...credential } = body;
      const revisions = ifMatchNumber(event);
      const owned = { ownerId: user.id, slug, revisions };
      const set = await setCredential(ports, { ...owned, credential, origins: wantedOrigins });
      const { deployment, warnings } = set;
      const shown = { ...described(set.credential), warnings };
      return apiReply(200, shown, etag(deployment.revision));
    },
  }),
  ownerRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getCredential',
    tag: 'credential',
    summary:
      'Of which type the credential is, where it may be sent and when it was set; never its value.',
    answers: { 200: { description: 'The credential.', schema: Present, headers: ETAG } },
    refusals: ['not_found'],
    handle: async ({ user, parameters: { slug } }) => {
      const deployment = await ownedDeployment(ports, { ownerId: user.id, slug });
      const { credential } = deployment;
      if (!credential) throw new ApiRefusal('not_found', 'The deployment has no credential.');
      const refusals = await credentialRefusals(ports, deployment);
      const shown = { ...described(credential), refused: credentialRefusedBody(refusals) };
      return apiReply(200, shown, etag(deployment.revision));
    },
  }),
  ownerRoute({
    method: 'GET',
    path: `${PATH}/origins`,
    operationId: 'getCredentialOrigins',
    tag: 'credential',
    summary: 'Where a credential would be sent, whether there is one or not.',
    answers: { 200: { description: 'The origins of the served version.', schema: Origins } },
    refusals: ['not_found'],
    handle: async ({ user, parameters: { slug } }) => {
      const prospect = await credentialOrigins(ports, { ownerId: user.id, slug });
      const { origins, others, exposures, needs } = prospect;
      const shown = { origins, other_origins: others, exposures };
      return apiReply(200, { ...shown, needs: credentialNeedsBody(needs) });
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

const described = (credential: DeploymentCredential): z.input<typeof Described> => ({
  ...snakeMembers(openPart(credential)),
  origins: [...credential.origins],
  set_at: isoTime(credential.setAt),
});
