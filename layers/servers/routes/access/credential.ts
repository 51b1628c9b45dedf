import { isoTime } from '../../../platform/rules/time.ts';
import { type CredentialName, MAIN } from '../../../credentials/rules/credential-name.ts';
import {
  type DeploymentCredential,
  namedCredentials,
} from '../../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { apiReply } from '../../../platform/http/reply.ts';
import { sentOf, snakeMembers } from '../../../platform/rules/shape.ts';
import { openMembers, openPart, wholeCredential } from '../../../target/rules/credential.ts';
import {
  credentialOrigins,
  removeCredential,
  setCredential,
} from '../../steps/credential/credential.ts';
import { credentialRefusals } from '../../steps/credential/credential-refusals.ts';
import { ownedDeployment } from '../../../deployments/steps/owned-deployment.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { ActivityPorts } from '../../../activity/ports.ts';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { jsonBody } from '../../../api/body.ts';
import { testCredential, type TestedCredential } from '../../steps/credential/test-credential.ts';
import { TRIAL_TEXTS } from '../../../connections/rules/credential-trial.ts';
import { TOKEN_FAILURE_REASONS, withItsWords } from '../../../connections/rules/token-failure.ts';
import { CredentialNeeds, credentialNeedsBody } from './credential-needs.ts';
import {
  CredentialRefused,
  credentialRefusedBody,
  Exposures,
  Warning,
} from '../deployment-body.ts';
import { etag, ifMatch } from '../../../api/request.ts';
import { revisionTag } from '../../../deployments/rules/revision.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';
import type { PortsOf } from '../../../platform/ports.ts';

type CredentialPorts = PortsOf<
  typeof testCredential | typeof credentialOrigins | typeof setCredential | typeof removeCredential
> &
  Pick<ActivityPorts, 'calls' | 'clock'>;

const origins = z
  .array(z.string())
  .meta({ description: 'The only origins (scheme, host, port) that it may be sent to.' });

/** Body of a new credential. `checkCredential` decides which values each kind may have. */
export const SentCredential = sentOf(
  wholeCredential({
    origins: mini.exactOptional(mini.array(mini.string())).register(mini.globalRegistry, {
      description:
        'The only origins that it may be sent to; if omitted, that of the base address, and those of the served ' +
        'version that have the same registrable domain.',
    }),
    schemes: mini
      .exactOptional(
        mini
          .array(mini.string().check(mini.minLength(1), mini.maxLength(100)))
          .check(mini.minLength(1), mini.maxLength(20)),
      )
      .register(mini.globalRegistry, {
        description:
          'The security schemes of the description that it is for: it goes with calls of operations that want one of ' +
          'them. If omitted, it goes with calls to its origins that want no scheme which another credential is for.',
      }),
  }),
);

const Described = z.object({
  ...snakeMembers(openMembers),
  origins,
  schemes: z
    .array(z.string())
    .optional()
    .meta({ description: 'The security schemes of the description that it is for.' }),
  set_at: z.iso.datetime(),
});

const Present = Described.extend({
  refused: CredentialRefused.optional(),
});

const WasSet = Described.extend({
  trust_policy: z.looseObject({}).optional().meta({
    description:
      "Of an AWS role: what its trust policy has to say, for its account's administrator.",
  }),
  warnings: z.array(Warning).meta({
    description:
      'A password that can be guessed, and operations that are sent elsewhere: calls of them are refused.',
  }),
});

const Named = z.object({
  credentials: z
    .record(z.string(), Present)
    .meta({ description: 'By their names; the one that was given none is called `main`.' }),
});

const Tested = z.object({
  works: z.boolean(),
  expires_at: z.iso
    .datetime()
    .optional()
    .meta({ description: 'When the token ends that was given.' }),
  scopes: z
    .array(z.string())
    .optional()
    .meta({ description: 'What the token allows, where its giver says so.' }),
  client_auth: z.enum(['basic', 'post']).optional().meta({
    description:
      'Of an OAuth client without `client_auth`: where its secret was taken. It is sent there from now on.',
  }),
  called: z
    .object({
      operation: z.string().meta({ description: '`GET /orders`.' }),
      status: z.int().optional().meta({ description: 'Of the answer; absent if there was none.' }),
    })
    .optional()
    .meta({
      description:
        'The call of the API that was made: of an operation that changes nothing and needs no argument. Absent where there is none.',
    }),
  problem: z
    .object({
      reason: z.enum([...TOKEN_FAILURE_REASONS, 'api_refused', 'api_unanswered']),
      error: z
        .string()
        .optional()
        .meta({ description: 'What the giver of tokens calls its error: `invalid_client`.' }),
      message: z.string().meta({
        description: 'What happened, and who mends it, with the words of whoever refused it.',
      }),
    })
    .optional(),
});

const testedBody = (result: TestedCredential): z.input<typeof Tested> => {
  const { called } = result;
  if (!result.works) {
    const { reason, said } = result;
    const code = 'code' in result ? result.code : undefined;
    const problem = { reason, ...(code !== undefined && { error: code }) };
    const message = withItsWords(TEST_TEXTS[reason], said);
    return { works: false, ...(called && { called }), problem: { ...problem, message } };
  }
  const { expiresAt, scopes, clientAuth } = result;
  return {
    works: true,
    ...(called && { called }),
    ...(clientAuth && { client_auth: clientAuth }),
    ...(expiresAt !== undefined && { expires_at: isoTime(expiresAt) }),
    ...(scopes && { scopes: [...scopes] }),
  };
};

const TEST_TEXTS = {
  ...TRIAL_TEXTS,
  api_refused:
    'The API does not take it: look there whether it is still good and may call this operation, and set the right one.',
  api_unanswered:
    'The API did not answer, so that nobody knows whether it takes it. Look whether its address is right, and test it again.',
} as const;

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
const LIST = '/deployments/{slug}/credentials';
const NAMED = `${LIST}/{name}`;
const ETAG = { ETag: "The deployment's revision." };

/** Write-only: no answer holds a secret. Source: docs/decisions/credentials.md, "Credentials". */
export const credentialRoutes = (ports: CredentialPorts): readonly ApiRoute[] => [
  ...credentialForm(ports, { path: PATH, its: '', of: 'the credential', named: () => MAIN }),
  ...credentialForm(ports, {
    path: NAMED,
    its: 'Named',
    of: 'a credential by its name',
    named: ({ name }) => name,
  }),
  ownerRoute({
    method: 'GET',
    path: LIST,
    operationId: 'listCredentials',
    effects: [],
    tag: 'credential',
    summary:
      'The credentials by their names, `main` and those besides it; what they are, never a value.',
    answers: { 200: { description: 'All of them.', schema: Named, headers: ETAG } },
    handle: async ({ user, parameters: { slug } }) => {
      const deployment = await ownedDeployment(ports, { ownerId: user.id, slug });
      const shown = await Promise.all(
        namedCredentials(deployment).map(async ([name]) => [
          name,
          await presentBody(ports, deployment, name),
        ]),
      );
      return apiReply(
        200,
        { credentials: Object.fromEntries(shown) },
        etag(revisionTag(deployment)),
      );
    },
  }),
  ownerRoute({
    method: 'POST',
    path: `${NAMED}/test`,
    operationId: 'testCredential',
    effects: ['call'],
    isUnrecorded: true,
    whileManaged: () => true,
    tag: 'credential',
    summary:
      'Has the credential read, or a token asked for with it, calls an operation that changes nothing where one needs no argument, and says how that went; never what it is. Counts as a trial.',
    answers: { 200: { description: 'How it went, also if it failed.', schema: Tested } },
    handle: async ({ event, user, may, parameters: { slug, name } }) => {
      const { http, requestId } = event.requestContext;
      const sender = { ip: http.sourceIp, userAgent: event.headers['user-agent'], requestId };
      const result = await testCredential(ports, user, may, slug, { name, sender });
      return apiReply(200, testedBody(result));
    },
  }),
  ownerRoute({
    method: 'GET',
    path: `${PATH}/origins`,
    operationId: 'getCredentialOrigins',
    effects: [],
    tag: 'credential',
    summary: 'Where a credential would be sent, whether there is one or not.',
    answers: {
      200: { description: 'The origins of the served version.', schema: Origins, headers: ETAG },
    },
    handle: async ({ user, parameters: { slug } }) => {
      const prospect = await credentialOrigins(ports, { ownerId: user.id, slug });
      const { origins, others, exposures, needs, deployment } = prospect;
      const shown = { origins, other_origins: others, exposures };
      return apiReply(
        200,
        { ...shown, needs: credentialNeedsBody(needs) },
        etag(revisionTag(deployment)),
      );
    },
  }),
];

/** Routes exist twice: for the credential named `main`, and for any by name. */
interface Form {
  readonly path: typeof PATH | typeof NAMED;
  /** Distinguishes the operationIds of the two forms. */
  readonly its: string;
  readonly of: string;
  readonly named: (parameters: { readonly name: string }) => CredentialName;
}

const credentialForm = (
  ports: CredentialPorts,
  { path, its, of, named }: Form,
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'PUT',
    path,
    operationId: `set${its}Credential`,
    effects: [],
    // Declarations hold no secrets. What else changes here shows in the next plan.
    whileManaged: () => true,
    tag: 'credential',
    summary: `Sets ${of} that calls to the target API carry, in place of any other${its && ' of the name'}.`,
    body: jsonBody(SentCredential),
    answers: { 200: { description: 'What was set.', schema: WasSet, headers: ETAG } },
    conditional: true,
    handle: async ({ event, user, parameters, body }) => {
      const { origins: wantedOrigins, schemes, ...credential } = body;
      const revisions = ifMatch(event);
      const owned = { ownerId: user.id, slug: parameters.slug, revisions };
      const name = named(parameters);
      const wanted = { name, credential, origins: wantedOrigins, schemes };
      const set = await setCredential(ports, { ...owned, ...wanted });
      const { deployment, warnings } = set;
      const shown = {
        ...described(set.credential),
        ...(set.trustPolicy && { trust_policy: set.trustPolicy }),
        warnings,
      };
      return apiReply(200, shown, etag(revisionTag(deployment)));
    },
  }),
  ownerRoute({
    method: 'GET',
    path,
    operationId: `get${its}Credential`,
    effects: [],
    tag: 'credential',
    summary: `Of which type ${its ? 'it' : 'the credential'} is, where it may be sent and when it was set; never its value.`,
    answers: { 200: { description: 'The credential.', schema: Present, headers: ETAG } },
    handle: async ({ user, parameters }) => {
      const deployment = await ownedDeployment(ports, {
        ownerId: user.id,
        slug: parameters.slug,
      });
      const shown = await presentBody(ports, deployment, named(parameters));
      return apiReply(200, shown, etag(revisionTag(deployment)));
    },
  }),
  ownerRoute({
    method: 'DELETE',
    path,
    operationId: `remove${its}Credential`,
    effects: ['removal'],
    tag: 'credential',
    summary: `Removes ${its ? 'it' : 'the credential'}. Also where there is none.`,
    answers: { 204: { description: 'There is none any more.' } },
    conditional: true,
    handle: async ({ event, user, parameters }) => {
      const owned = { ownerId: user.id, slug: parameters.slug };
      const revisions = ifMatch(event);
      await removeCredential(ports, { ...owned, name: named(parameters), revisions });
      return apiReply(204);
    },
  }),
];

/** @throws ApiRefusal not_found */
const presentBody = async (
  ports: Pick<CredentialPorts, 'calls' | 'clock'>,
  deployment: Deployment,
  name: CredentialName,
): Promise<z.input<typeof Present>> => {
  const credential = namedCredentials(deployment).find(([its]) => its === name)?.[1];
  if (!credential) {
    const text = name === MAIN ? '' : ' of this name';
    throw new ApiRefusal('not_found', `The deployment has no credential${text}.`);
  }
  const refusals = await credentialRefusals(ports, deployment.id, credential);
  return { ...described(credential), refused: credentialRefusedBody(refusals) };
};

const described = (credential: DeploymentCredential): z.input<typeof Described> => ({
  ...snakeMembers(openPart(credential)),
  origins: [...credential.origins],
  ...(credential.schemes && { schemes: [...credential.schemes] }),
  set_at: isoTime(credential.setAt),
});
