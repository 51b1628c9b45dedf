import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aDescription } from '../support/openapi/descriptions.ts';
import { callDying } from '../support/aws/dying-management.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../support/service/management.ts';

const BY = 'github.com/acme/orders:servers.yaml';

let service: TestManagement;
let owner: Owner;
let count = 0;
beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 10_000 } });
  owner = await service.owner({ plan: 'pro' });
});
afterAll(() => service.stop());

const openapiOf = (operations: readonly string[]) => JSON.stringify(aDescription([...operations]));
const key = (name: string) => ({ type: 'api_key', name, in: 'header', value: 'sesame-0123' });
const resource = (name: string, content: string) => ({ name, uri: `docs://${name}`, content });

const BEFORE = {
  openapi: openapiOf(['listPets', 'getPet']),
  name: 'Before',
  access: { mode: 'any_user' },
  credentials: { main: key('X-One') },
  resources: [resource('guide', 'One'), resource('gone', 'Gone')],
  prompts: [{ name: 'ask', template: 'One' }],
};
const AFTER = {
  openapi: openapiOf(['listPets', 'dropPet']),
  name: 'After',
  credentials: { main: key('X-Two'), other: { type: 'bearer', token: 'canary-4711' } },
  resources: [resource('guide', 'Two'), { ...resource('moved', 'Gone'), uri: 'docs://gone' }],
  prompts: [
    { name: 'ask', template: 'Two' },
    { name: 'more', template: 'More' },
  ],
};

const call = (slug: string, method: string, path: string, body?: object, headers = {}) =>
  service.call(method, `/deployments/${slug}${path}`, {
    as: owner,
    headers,
    ...(body && { body }),
  });
const apply = (slug: string, declaration: object) =>
  call(slug, 'PUT', '/declaration', { declaration, managed_by: BY });
/** What is deployed, as a declaration would say it. */
const stateOf = async (slug: string) =>
  (await call(slug, 'GET', '/declaration')).body['declaration'];
const kept = ({ credentials, ...declaration }: { readonly credentials?: object }) => ({
  ...declaration,
  ...(credentials && {
    credentials: Object.fromEntries(
      Object.entries(credentials as Record<string, Record<string, unknown>>).map(
        ([name, { value, token, ...open }]) => [name, { ...open, keep: (value ?? token) !== '' }],
      ),
    ),
  }),
});
const differing = async (slug: string, declaration: object): Promise<readonly string[]> => {
  const { body } = await call(slug, 'POST', '/declaration/plan', {
    declaration: kept(declaration),
  });
  return (body['differences'] as readonly { member: string }[]).map(({ member }) => member);
};

describe('an apply that is killed', () => {
  /** More than either makes. */
  const CALLS = 40;

  test.each([
    ['that makes a server', undefined, AFTER],
    ['that changes one', BEFORE, AFTER],
    ['that takes everything away', AFTER, { openapi: BEFORE.openapi }],
  ])('%s is told by the plan, and ends the same when it is applied again', async (_, from, to) => {
    count += 1;
    const whole = `whole-${count}`;
    if (from) await apply(whole, from);
    await apply(whole, to);
    const wanted = await stateOf(whole);

    let last = 0;
    for (let nth = 1; nth <= CALLS; nth += 1) {
      const slug = `killed-${count}-${nth}`;
      if (from) await apply(slug, from);
      const body = { declaration: to, managed_by: BY };
      const path = `/deployments/${slug}/declaration`;
      const killed = await callDying(service, nth, 'PUT', path, { as: owner, body });
      if (killed.status === 200) {
        last = nth;
        break;
      }
      const left = await differing(slug, to);
      const again = await apply(slug, to);
      expect({ nth, left, status: again.status }).toMatchObject({ nth, status: 200 });
      expect(await stateOf(slug)).toEqual(wanted);
      expect(await differing(slug, to)).toEqual([]);
    }
    expect(last).toBeGreaterThan(4);
  });
});

describe('whatever happens to a server that is declared', () => {
  type Step = { readonly do: 'apply' | 'edit' | 'cut' | 'roll back'; readonly which: number };
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom('apply', 'edit', 'cut', 'roll back'),
    which: fc.nat({ max: 11 }),
  });
  const OVERRIDE = { 'override-manager': 'true' };
  const DECLARED = [BEFORE, AFTER, { openapi: BEFORE.openapi, name: 'Small' }];

  test('the plan tells the difference, and an apply leaves none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        count += 1;
        const slug = `random-${count}`;
        await apply(slug, BEFORE);
        for (const { do: what, which } of steps) {
          const declaration = DECLARED[which % DECLARED.length] ?? BEFORE;
          const body = { declaration, managed_by: BY };
          const path = `/deployments/${slug}/declaration`;
          if (what === 'apply') await apply(slug, declaration);
          if (what === 'cut') await callDying(service, which + 1, 'PUT', path, { as: owner, body });
          if (what === 'edit')
            await call(slug, 'PATCH', '', { name: `By hand ${which}` }, OVERRIDE);
          if (what === 'roll back') await call(slug, 'POST', '/rollback', { version: 1 }, OVERRIDE);
        }
        const before = await stateOf(slug);
        const left = await differing(slug, AFTER);
        await apply(slug, AFTER);
        const after = await stateOf(slug);
        expect(JSON.stringify(before) === JSON.stringify(after)).toBe(left.length === 0);
        expect(await differing(slug, AFTER)).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });
});
