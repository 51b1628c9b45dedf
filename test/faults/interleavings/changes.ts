import { randomUUID } from 'node:crypto';
import { wireCredentials } from '../../../lambdas/credentials/wiring.ts';
import {
  namedCredentials,
  namedRef,
} from '../../../layers/credentials/rules/deployment-credential.ts';
import type { CredentialStore } from '../../../layers/credentials/rules/credential-stores.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { transferServer } from '../../../layers/management/steps/operator/transfer.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { dynamoAccessTokens } from '../../../layers/tokens/store/access-tokens.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import { committed } from '../../support/aws/committed.ts';
import { anAccessToken, aGrant } from '../../support/oauth/oauth-fixtures.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  type ApiAnswer,
  aManagementService,
  type Owner,
} from '../../support/service/management.ts';

/** Everything that somebody can see of a server, and of what stands behind it. */
export interface Seen {
  readonly deployment: Deployment | undefined;
  /** What calls carry, by name; `missing` where the deployment points to what no store has. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Days of the recording; `missing` where nobody could read what is recorded. */
  readonly recorded: number | 'missing' | undefined;
  readonly resource: boolean;
  readonly prompts: readonly string[];
  /** Whether the client that was let in at first still is. */
  readonly isGranted: boolean;
}

export interface Change {
  readonly make: (slug: string) => Promise<ApiAnswer>;
  /** Whether it is what one sees. */
  readonly shows: (seen: Seen) => boolean;
  /** What it decides: of two changes of the same, the later one counts. `all` decides everything. */
  readonly about: readonly string[];
  /** The same where nobody comes between its reading and its writing: more, if it refuses what it has not seen. */
  readonly aboutAtOnce?: readonly string[];
}

type Headers = Readonly<Record<string, string>>;

/** Descriptions by how many tools they make. */
const OF = {
  1: aDescription(['listPets']),
  2: aDescription(['listPets', 'getPet']),
  3: aDescription(['listPets', 'getPet', 'addPet']),
} as const;

const GUIDE = { name: 'guide', uri: 'docs://guide', mime_type: 'text/plain', content: 'Begin' };
/** The name that is not `main`. */
const OTHER = 'tenant';

/** Servers of one owner on a service of its own, and what can be done to them, as from two places at once. */
export const serversToChange = async (credentialStore: CredentialStore) => {
  const service = await aManagementService({ credentialStore });
  /** Of each server, by its slug: what a request could not undo, since its writes failed, hinders no other one. */
  const owners = new Map<string, Owner>();
  /** To whom an operator gives a server. */
  const takers = new Map<string, Owner>();
  const { credentialReader: reader } = wireCredentials({
    ...environmentOf(service.store, 'credentials'),
    CREDENTIAL_STORE: credentialStore,
  });
  const accessTokens = dynamoAccessTokens(
    service.store.instance(),
    service.store.tableName('oauth'),
  );

  const call = (
    method: string,
    path: string,
    body?: unknown,
    headers: Headers = {},
    as = owners.get(path.split('/')[0] ?? ''),
  ) => service.call(method, `/deployments/${path}`, { as, headers, body });
  /** As whoever has it now. */
  const look = async (path: string): Promise<ApiAnswer> => {
    const [slug = ''] = path.split('/');
    const taker = takers.get(slug);
    const found = await service.ports.deploymentEditor.read(slug);
    const isGiven = taker !== undefined && found?.ownerId === taker.user.id;
    return call('GET', path, undefined, {}, isGiven ? taker : owners.get(slug));
  };
  const patch = (body: object) => (slug: string) => call('PATCH', slug, body);
  const token = (value: string): Change => ({
    make: (slug) => call('PUT', `${slug}/credential`, { type: 'bearer', token: value }),
    shows: ({ credentials }) => credentials['main'] === value,
    about: ['main'],
  });
  const key = (value: string): Change => ({
    make: (slug) =>
      call('PUT', `${slug}/credentials/${OTHER}`, {
        type: 'api_key',
        in: 'header',
        name: 'X-Tenant',
        value,
      }),
    shows: ({ credentials }) => credentials[OTHER] === value,
    about: [OTHER],
  });

  const apply = (slug: string, headers?: Headers) => {
    const declaration = {
      name: 'Declared',
      openapi: OF[3],
      credentials: { main: { type: 'bearer', token: 'declared' } },
      prompts: [{ name: 'declared', template: 'Hi' }],
    };
    const sent = { managed_by: 'pipeline', adopt: true, declaration };
    return call('PUT', `${slug}/declaration`, sent, headers);
  };
  const isDeclared = ({ deployment, credentials, prompts }: Seen): boolean =>
    deployment?.name === 'Declared' &&
    deployment.managedBy?.by === 'pipeline' &&
    deployment.toolCount === 3 &&
    credentials['main'] === 'declared' &&
    prompts.includes('declared');

  const changes: Readonly<Record<string, Change>> = {
    'a credential is set': token('one'),
    'another credential is set': token('other'),
    'the credential is removed': {
      make: (slug) => call('DELETE', `${slug}/credential`),
      shows: ({ credentials }) => credentials['main'] === undefined,
      about: ['main'],
    },
    'a credential of another name is set': key('one'),
    'the credential of another name is removed': {
      make: (slug) => call('DELETE', `${slug}/credentials/${OTHER}`),
      shows: ({ credentials }) => credentials[OTHER] === undefined,
      about: [OTHER],
    },
    'a version is published': {
      make: (slug) => call('PUT', `${slug}/openapi`, { openapi: OF[1] }),
      shows: ({ deployment }) => deployment?.toolCount === 1,
      about: ['version'],
    },
    'a former version is served again': {
      make: (slug) => call('POST', `${slug}/rollback`, { version: 1 }),
      shows: ({ deployment }) => deployment?.toolCount === 3,
      about: ['version', 'overrides', 'tool mode'],
    },
    'a tool is overridden': {
      make: patch({ overrides: { listPets: { name: 'pets' } } }),
      shows: ({ deployment }) =>
        Object.values(deployment?.publication.overrides ?? {}).some((one) => one.name === 'pets'),
      about: ['overrides'],
    },
    'tools are shown by search': {
      make: patch({ tool_mode: 'search' }),
      shows: ({ deployment }) => deployment?.publication.toolMode === 'search',
      about: ['tool mode'],
    },
    'the name is changed': {
      make: patch({ name: 'Renamed' }),
      shows: ({ deployment }) => deployment?.name === 'Renamed',
      about: ['name'],
    },
    'other settings are changed': {
      make: patch({ instructions: 'Be brief.', docs: 'public', request_headers: { 'X-One': '1' } }),
      shows: ({ deployment }) =>
        deployment?.instructions === 'Be brief.' &&
        deployment.docs === 'public' &&
        deployment.requestHeaders['X-One'] === '1',
      about: ['settings'],
    },
    'access is opened to every user': {
      make: patch({ access: { mode: 'any_user' } }),
      shows: ({ deployment }) => deployment?.access.mode === 'any_user',
      about: ['access'],
    },
    'a person is taken off the list': {
      make: patch({ access: { mode: 'owner' } }),
      shows: ({ deployment }) => deployment?.access.mode === 'owner',
      about: ['access'],
    },
    'a grant is ended': {
      make: (slug) => call('DELETE', `${slug}/grants/${grantOf(slug)}`),
      shows: ({ isGranted }) => !isGranted,
      about: ['grant'],
    },
    'the server is paused': {
      make: patch({ status: 'paused' }),
      shows: ({ deployment }) => deployment?.status === 'paused',
      about: ['status'],
    },
    'recording is switched on again': {
      make: (slug) => call('PUT', `${slug}/recording`, { days: 2 }),
      shows: ({ recorded }) => recorded === 2,
      about: ['recording'],
    },
    'recording is switched off': {
      make: (slug) => call('DELETE', `${slug}/recording`),
      shows: ({ recorded }) => recorded === undefined,
      about: ['recording'],
    },
    'what was recorded is removed': {
      make: (slug) => call('DELETE', `${slug}/recorded-calls`),
      shows: ({ recorded }) => recorded === undefined,
      about: ['recording'],
    },
    'a resource is made': {
      make: (slug) => call('POST', `${slug}/resources`, GUIDE),
      shows: ({ resource }) => resource,
      about: ['resource'],
    },
    'a prompt is made': {
      make: (slug) => call('POST', `${slug}/prompts`, { name: 'hi', template: 'Hi' }),
      shows: ({ prompts }) => prompts.includes('hi'),
      about: ['prompt'],
    },
    'a declaration is applied': {
      make: (slug) => apply(slug),
      shows: isDeclared,
      about: ['all'],
    },
    // Of all else it knows that nobody has changed it since.
    'a declaration is applied as it was planned': {
      make: async (slug) => {
        const { headers } = await call('GET', `${slug}/declaration`);
        return apply(slug, { 'if-match': headers['etag'] ?? '' });
      },
      shows: isDeclared,
      about: ['main', OTHER, 'resource', 'prompt'],
      aboutAtOnce: ['all'],
    },
    'the server is given to another account': {
      make: async (slug) => {
        // Commands are not counted as requests are, whose first write that is.
        await look(slug);
        const [from, to] = [owners, takers].map((one) => one.get(slug)?.user.email ?? '');
        return transferServer(service.ports, { slug, from: from!, to: to! }).then(
          () => ({ status: 200, headers: {}, body: {} }),
          (error: unknown) => ({ status: 503, headers: {}, body: { error: String(error) } }),
        );
      },
      shows: ({ deployment }) =>
        deployment?.ownerId !== owners.get(deployment?.slug ?? '')?.user.id,
      about: ['owner'],
    },
    'the server is removed': {
      make: (slug) => call('DELETE', slug),
      shows: ({ deployment }) => deployment === undefined,
      about: ['all'],
    },
  };

  const done = async (answer: Promise<ApiAnswer>): Promise<ApiAnswer> => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`A server cannot be made: ${JSON.stringify(body)}`);
    return answer;
  };

  return {
    service,
    changes,

    /** Whatever has become of it. */
    remove: async (slug: string): Promise<void> => {
      for (const as of [owners.get(slug), takers.get(slug)]) {
        await call('DELETE', `${slug}/manager`, undefined, {}, as);
        await call('DELETE', slug, undefined, {}, as);
      }
      owners.delete(slug);
      takers.delete(slug);
    },

    /** A server that has everything that a change could take away. @returns its slug */
    aServer: async (): Promise<string> => {
      const slug = `d-${randomUUID()}`;
      const access = { mode: 'allow_list', emails: ['guest@example.com'] };
      // What ends by any other clock is removed by the embedded tables as AWS would.
      service.clock.time = Math.floor(Date.now() / 1000);
      const as = await service.owner({ plan: 'pro' });
      owners.set(slug, as);
      takers.set(slug, await service.owner());
      await done(
        service.call('POST', '/deployments', {
          as,
          body: { slug, openapi: OF[3], mcp_auth_method: 'oauth', access },
        }),
      );
      await done(call('PUT', `${slug}/openapi`, { openapi: OF[2] }));
      await done(token('before').make(slug));
      await done(key('before').make(slug));
      await done(call('PUT', `${slug}/recording`, { days: 1 }));
      const { id: deploymentId } = (await service.ports.deploymentEditor.read(slug))!;
      const [id, accessToken] = [grantOf(slug), fingerprint(slug)];
      const createdAt = service.clock.time;
      const expiresAt = createdAt + DAY;
      await committed(
        service.store.instance(),
        service.arranging.grants.beginning(aGrant({ id, deploymentId, slug, createdAt }), {
          fingerprint: accessToken,
          expiresAt,
        }),
      );
      await accessTokens.put(accessToken, anAccessToken({ grantId: id, deploymentId, expiresAt }));
      return slug;
    },

    see: async (slug: string): Promise<Seen> => {
      const found = await service.ports.deploymentEditor.read(slug);
      const deployment = found?.status === 'removing' ? undefined : found;
      const there = await accessTokens.find(fingerprint(slug));
      const isGranted = there !== undefined && !there.revoked;
      if (!deployment) {
        const nothing = { credentials: {}, recorded: undefined, resource: false, prompts: [] };
        return { deployment, ...nothing, isGranted };
      }
      const { id: deploymentId, recording } = deployment;
      const credentials = namedCredentials(deployment).map(async (one) => {
        const [name] = one;
        const value = await reader.read(namedRef(deployment, one));
        const text =
          value?.type === 'bearer' ? value.token : value?.type === 'api_key' && value.value;
        return [name, text || 'missing'] as const;
      });
      const keys = recording && (await service.ports.recordingKeys.find(deploymentId, 0));
      const isReadable = keys?.some(
        ({ publicKey, endedAt }) => publicKey === recording?.publicKey && endedAt === undefined,
      );
      const prompts = await look(`${slug}/prompts`);
      return {
        deployment,
        credentials: Object.fromEntries(await Promise.all(credentials)),
        recorded: recording && (isReadable ? (recording.until - recording.since) / DAY : 'missing'),
        resource: (await look(`${slug}/resources/guide`)).status === 200,
        prompts: (prompts.body.items ?? []).map(({ name }) => String(name)),
        isGranted,
      };
    },
  };
};

export type ServersToChange = Awaited<ReturnType<typeof serversToChange>>;

const grantOf = (slug: string): string => `grant-of-${slug}`;
