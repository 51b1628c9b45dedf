import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SignedIn, signedIn } from '../../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

let service: WholeService;
let send: SignedIn['send'];
beforeAll(async () => {
  service = await startWholeService();
  ({ send } = await signedIn(service));
});
afterAll(() => service.stop());

const look = (openapi: object, settings: object) =>
  send('POST', '/descriptions', { openapi, ...settings });

const named = <Value>(count: number, entry: (at: number) => readonly [string, Value]) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => entry(at)));
const described = (paths: object, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Much', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths,
  ...more,
});

const longPaths = described(named(9990, (at) => [`/${'a'.repeat(390)}${at}`, { get: {} }]));
const largeBody = (properties: object, schemas: object = {}) =>
  described(
    {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: { content: { 'application/json': { schema: { properties } } } },
        },
      },
    },
    { components: { schemas } },
  );
const manyProperties = largeBody(named(30_000, (at) => [`p${at}`, { type: 'string' }]));
const sameName = described(
  named(4900, (at) => [`/p${at}`, { get: { operationId: 'same', responses: {} } }]),
);
const manyPlaces = described(
  named(500, (at) => [
    `/p${at}`,
    { servers: [{ url: `https://a.example.com/${'{v}'.repeat(1000)}` }], get: {} },
  ]),
);

/** Without them the description is compiled in less than two seconds; with them, no more is done. */
const MOST = 3;

/** What an owner sends, what it has to be compared with, what there is to compare it with, and the advice. */
const MULTIPLIED: readonly (readonly [string, object, object, object, string])[] = [
  [
    'entries with many `*` and many long paths',
    longPaths,
    { operations: { include: ['GET *1'], exclude: [] } },
    { operations: { include: Array(100).fill(`* /${'*a'.repeat(390)}*`), exclude: [] } },
    'Use tags or operationIds, or fewer entries with fewer `*` in each.',
  ],
  [
    'overrides of arguments and a body of many properties',
    manyProperties,
    { tool_token_budget: null },
    {
      tool_token_budget: null,
      overrides: { a: { arguments: named(2000, (at) => [`x${at}`, { hidden: true }]) } },
    },
    'It has p0, p1, p2',
  ],
  [
    'an override and many operations of one name',
    sameName,
    { tool_mode: 'search' },
    {
      tool_mode: 'search',
      overrides: { same: { arguments: named(2000, (at) => [`x${at}`, { hidden: true }]) } },
    },
    'name those that are meant by method and path',
  ],
  [
    'server variables and the places that they stand in',
    manyPlaces,
    { tool_mode: 'search', server_variables: { v: '' } },
    { tool_mode: 'search', server_variables: { v: 'x'.repeat(2048) } },
    'Give the address of the API',
  ],
];

describe('lists of an owner that are multiplied with a description', () => {
  test.each(MULTIPLIED)(
    'cost no more than the description alone: %s',
    async (_, openapi, without, settings, advice) => {
      const alone = await look(openapi, without);
      const { status, body, ms } = await look(openapi, settings);

      expect([alone.status, status]).toEqual([200, 200]);
      expect(body['publishable']).toBe(false);
      expect(JSON.stringify(body['problems'])).toContain(advice);
      expect(ms / alone.ms).toBeLessThan(MOST);
    },
  );

  test('are refused where overlays compare large objects again and again', async () => {
    const large = () => named(2000, (at) => [`name${at}`, at]);
    const openapi = {
      ...described({ '/a': { get: { responses: {} } } }),
      'x-pairs': [{ a: large(), b: large() }],
    };
    const overlay = (count: number) =>
      JSON.stringify({
        overlay: '1.0.0',
        info: { title: 'Compares', version: '1' },
        actions: Array(count).fill({ target: "$['x-pairs'][?@.a==@.b]", update: {} }),
      });
    const publish = (count: number) =>
      send('POST', '/deployments', {
        openapi,
        slug: `compares-${count}`,
        overlays: [overlay(count)],
      });
    // Nearly as many as may be, and more than four times as many.
    const few = await publish(150);
    const many = await publish(650);

    expect([few.status, many.status]).toEqual([201, 422]);
    expect(JSON.stringify(many.body)).toContain('steps together');
    expect(many.ms / few.ms).toBeLessThan(MOST);
  });

  test('cost no more where a version is compared with one whose components contain themselves', async () => {
    const expression = (type: string) =>
      largeBody(
        { e: { $ref: '#/components/schemas/E' } },
        {
          E: {
            properties: {
              value: { type },
              ...named(3, (at) => [`e${at}`, { $ref: '#/components/schemas/E' }]),
            },
          },
        },
      );
    const path = '/deployments/expressions';
    const made = await send('POST', '/deployments', {
      openapi: expression('string'),
      slug: 'expressions',
    });
    const same = await send('PUT', `${path}/openapi`, { openapi: expression('string') });
    const other = await send('PUT', `${path}/openapi`, { openapi: expression('number') });

    expect([made.status, same.status, other.status]).toEqual([201, 200, 200]);
    expect(other.body).toMatchObject({
      tools: {
        breaking: true,
        changed: [{ changes: ['argument `e.value` takes number now, and took string'] }],
      },
    });
    expect(other.ms / (made.ms + same.ms)).toBeLessThan(MOST);
  });
});
