import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../layers/deployments/rules/deployment.ts';
import { wireCredentials } from '../../lambdas/credentials/wiring.ts';
import { environmentOf } from '../lambdas/wiring/environments.ts';
import { aDescription } from '../support/openapi/descriptions.ts';
import {
  type ApiAnswer,
  aManagementService,
  type Owner,
  type TestManagement,
} from '../support/service/management.ts';

/** Tokens of people of one company, who change one server at the same time: as the owner from two places. */
let service: TestManagement;
let as: Owner;
let reader: ReturnType<typeof wireCredentials>['credentialReader'];
beforeAll(async () => {
  service = await aManagementService({ credentialStore: 'envelope' });
  as = await service.owner({ plan: 'pro' });
  ({ credentialReader: reader } = wireCredentials({
    ...environmentOf(service.store, 'credentials'),
    CREDENTIAL_STORE: 'envelope',
  }));
});
afterAll(() => service.stop());
afterEach(() => service.store.aws.faults.clear());

/** Everything that somebody can see of a server. */
interface Seen {
  readonly deployment: Deployment | undefined;
  /** What calls carry; `missing` where the deployment points to what no store has. */
  readonly credential: string | undefined;
  readonly resource: boolean;
  readonly prompt: boolean;
}

interface Change {
  readonly make: (slug: string) => Promise<ApiAnswer>;
  /** Whether it is what one sees. */
  readonly shows: (seen: Seen) => boolean;
  /** What it is about: of two changes of the same, the later one counts. */
  readonly about: string;
}

const call = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { as, ...(body !== undefined && { body }) });
const token = (value: string): Change => ({
  make: (slug) => call('PUT', `/deployments/${slug}/credential`, { type: 'bearer', token: value }),
  shows: ({ credential }) => credential === value,
  about: 'credential',
});

const CHANGES: Readonly<Record<string, Change>> = {
  'a credential is set': token('one'),
  'another credential is set': token('other'),
  'the credential is removed': {
    make: (slug) => call('DELETE', `/deployments/${slug}/credential`),
    shows: ({ credential }) => credential === undefined,
    about: 'credential',
  },
  'a version is published': {
    make: (slug) =>
      call('PUT', `/deployments/${slug}/openapi`, { openapi: aDescription(['next']) }),
    shows: ({ deployment }) => deployment?.toolCount === 1,
    about: 'version',
  },
  'settings are changed': {
    make: (slug) => call('PATCH', `/deployments/${slug}`, { name: 'Renamed' }),
    shows: ({ deployment }) => deployment?.name === 'Renamed',
    about: 'name',
  },
  'access is changed': {
    make: (slug) => call('PATCH', `/deployments/${slug}`, { access: { mode: 'any_user' } }),
    shows: ({ deployment }) => deployment?.access.mode === 'any_user',
    about: 'access',
  },
  'the server is paused': {
    make: (slug) => call('PATCH', `/deployments/${slug}`, { status: 'paused' }),
    shows: ({ deployment }) => deployment?.status === 'paused',
    about: 'status',
  },
  'a resource is made': {
    make: (slug) =>
      call('POST', `/deployments/${slug}/resources`, {
        name: 'guide',
        uri: 'docs://guide',
        mime_type: 'text/plain',
        content: 'Begin',
      }),
    shows: ({ resource }) => resource,
    about: 'resource',
  },
  'a prompt is made': {
    make: (slug) => call('POST', `/deployments/${slug}/prompts`, { name: 'hi', template: 'Hi' }),
    shows: ({ prompt }) => prompt,
    about: 'prompt',
  },
  'the server is removed': {
    make: (slug) => call('DELETE', `/deployments/${slug}`),
    shows: ({ deployment }) => deployment === undefined,
    about: 'all',
  },
};

const aServer = async (): Promise<string> => {
  const slug = `d-${randomUUID()}`;
  const made = await call('POST', '/deployments', { openapi: aDescription(), slug });
  expect(made.status).toBe(201);
  const set = await token('before').make(slug);
  expect(set.status).toBeLessThan(300);
  return slug;
};

const see = async (slug: string): Promise<Seen> => {
  const found = await service.ports.deploymentEditor.read(slug);
  const deployment = found?.status === 'removing' ? undefined : found;
  if (!deployment) return { deployment, credential: undefined, resource: false, prompt: false };
  const { id: deploymentId, ownerId, credential } = deployment;
  const place = { deploymentId, ownerId, name: 'main', from: 'store' } as const;
  const value = credential && (await reader.read({ ...place, version: credential.version }));
  const there = async (path: string) =>
    (await call('GET', `/deployments/${slug}/${path}`)).status === 200;
  return {
    deployment,
    credential: credential && (value?.type === 'bearer' ? value.token : 'missing'),
    resource: await there('resources/guide'),
    prompt: await there('prompts/hi'),
  };
};

const WRITES =
  /^(?:PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems|PutObject|DeleteObject)$/;
const isOk = ({ status }: ApiAnswer): boolean => status < 300;

/** Where a change is interrupted: before its nth write, and whether that and all later ones fail. */
interface Place {
  readonly first: string;
  readonly second: string;
  readonly nth: number;
  readonly fails: boolean;
}

/** @returns false where the first change has fewer writes */
const interleaved = async ({ first, second, nth, fails }: Place): Promise<boolean> => {
  const slug = await aServer();
  const { faults } = service.store.aws;
  let writes = 0;
  let isSecond = false;
  let isOver = false;
  let later: ApiAnswer | undefined;
  const isNext = ({ operation }: { readonly operation: string }): boolean => {
    if (isSecond || !WRITES.test(operation)) return false;
    writes += 1;
    return writes === nth;
  };
  faults.inject({
    kind: 'meanwhile',
    on: isNext,
    happens: async () => {
      isSecond = true;
      later = await CHANGES[second]!.make(slug);
      isSecond = false;
      isOver = true;
    },
  });
  if (fails) {
    const on = ({ operation }: { readonly operation: string }) =>
      (isOver || writes >= nth) && !isSecond && WRITES.test(operation);
    faults.inject({ kind: 'fail', on });
  }
  const earlier = await CHANGES[first]!.make(slug);
  faults.clear();
  if (!later) {
    await CHANGES['the server is removed']!.make(slug);
    return false;
  }

  const seen = await see(slug);
  const where = { first, second, nth, fails, answers: [earlier.status, later.status], seen };
  const checked = [
    [earlier, CHANGES[first]!],
    [later, CHANGES[second]!],
  ] as const;
  const [one, other] = checked.map(([answer, { shows }]) => !isOk(answer) || shows(seen));
  const isSame =
    CHANGES[first]!.about === CHANGES[second]!.about ||
    [CHANGES[first]!, CHANGES[second]!].some(({ about }) => about === 'all');
  // What one was told is done is to be seen, unless the other one has changed the same.
  expect({ ...where, isKept: isSame ? one || other : one && other }).toEqual({
    ...where,
    isKept: true,
  });
  expect({ ...where, credential: seen.credential }).not.toMatchObject({ credential: 'missing' });

  // Nothing points to what is not there, in any table.
  const { items = [] } = (await service.maintain({ operator: 'restore-check' })) as {
    readonly items?: readonly { readonly where: string }[];
  };
  expect({ ...where, lost: items.filter(({ where: row }) => row === `SLUG#${slug}`) }).toEqual({
    ...where,
    lost: [],
  });
  if (seen.deployment) await CHANGES['the server is removed']!.make(slug);
  return true;
};

const names = Object.keys(CHANGES);
const pairs = names.flatMap((first) =>
  names.filter((one) => one !== first).map((second) => ({ first, second })),
);

/** Of a generator that gives the same in each run: Lehmer's, with the constants of Park and Miller. */
const sampled = (count: number): readonly Place[] => {
  let seed = 20_261_128;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  return Array.from({ length: count }, () => ({
    ...pairs[next(pairs.length)]!,
    nth: 1 + next(4),
    fails: next(2) === 1,
  }));
};

/** With ALL_INTERLEAVINGS=1 every pair at every write; else some, the same in each run. */
const isWhole = process.env['ALL_INTERLEAVINGS'] === '1';

describe('two people change one server at once', () => {
  test.each([false, true])(
    'and of two who set a credential calls carry what was answered last, with later writes failing: %s',
    async (fails) => {
      for (let nth = 1; nth <= 6; nth += 1) {
        const place = { first: 'a credential is set', second: 'another credential is set' };
        if (!(await interleaved({ ...place, nth, fails }))) break;
      }
    },
  );

  test('and nothing that was answered as done is lost, and nothing points to what is not there', async () => {
    if (!isWhole) {
      for (const place of sampled(24)) await interleaved(place);
      return;
    }
    for (const pair of pairs) {
      for (const fails of [false, true]) {
        for (let nth = 1; await interleaved({ ...pair, nth, fails }); nth += 1);
      }
    }
  });
});
