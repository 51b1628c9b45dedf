import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { collectWarnings } from '../../../layers/openapi/intake/findings.ts';
import { readDescription } from '../../../layers/openapi/intake/read-description.ts';
import { applyOverlays } from '../../../layers/openapi/overlay/apply-overlays.ts';
import { aDescription, LIMITS, refusalOf } from '../../support/openapi/intake.ts';

const overlay = (actions: Json, members: Readonly<Record<string, Json>> = {}): string =>
  JSON.stringify({
    overlay: '1.1.0',
    info: { title: 'Mended', version: '1' },
    actions,
    ...members,
  });

const limits = { maxBytes: 65_536, maxAdded: 100_000 };

const apply = (document: Json, ...overlays: readonly string[]) => {
  const warnings = collectWarnings();
  const { root, applications } = applyOverlays(document, overlays, limits, warnings);
  return { document: root, applications, warnings: warnings.all() };
};

const PETS = {
  a: { name: 'a', tags: ['x'], deep: { one: 1 } },
  b: { name: 'b', tags: ['y'] },
  list: [{ id: 1 }, { id: 2 }, { id: 3 }],
};

describe('actions', () => {
  test.each<[string, Json, Json]>([
    ['merge objects', { target: '$.a', update: { deep: { two: 2 } } }, { one: 1, two: 2 }],
    ['replace a plain value', { target: '$.a.deep.one', update: 7 }, { one: 7 }],
    ['remove', { target: '$.a.deep.one', remove: true }, {}],
    ['remove rather than update', { target: '$.a.deep.one', remove: true, update: 7 }, {}],
    ['copy', { target: '$.a.deep', copy: '$.list[0]' }, { one: 1, id: 1 }],
    ['merge under a wildcard', { target: '$.*.deep', update: { w: 1 } }, { one: 1, w: 1 }],
    [
      'merge where a filter says so',
      { target: "$[?@.tags[?@ == 'x']].deep", update: { f: 1 } },
      { one: 1, f: 1 },
    ],
    [
      'merge once what is matched twice',
      { target: "$['a','a'].deep", update: { l: [1] } },
      { one: 1, l: [1] },
    ],
  ])('%s', (_, action, deep) => {
    const { document, warnings } = apply(PETS, overlay([action]));

    expect(document).toEqual({ ...PETS, a: { ...PETS.a, deep } });
    expect(warnings).toEqual([]);
  });

  test.each<[Json, Json, string]>([
    [{ deep: 7 }, 7, '"deep", an object, is replaced by a value of another kind'],
    [{ deep: [7] }, [7], '"deep", an object, is replaced by a value of another kind'],
    [{ deep: { one: {} } }, { one: {} }, '"one", a plain value, is replaced'],
    [{ deep: null }, { one: 1 }, '"deep", an object, is nothing, and stays as it is'],
  ])('warn once of what is of another kind: %j', (update, deep, what) => {
    const same = { target: "$['a','b']", update };
    const { document, warnings } = apply({ ...PETS, b: PETS.a }, overlay([same]));

    expect(document).toMatchObject({ a: { deep }, b: { deep } });
    expect(warnings).toEqual([
      expect.objectContaining({
        where: '/overlays/0/actions/0/update',
        what: expect.stringContaining(what),
      }),
    ]);
  });

  test('replace plain values by plain ones, null too, without a word', () => {
    const update = { name: null, deep: { one: 'x' } };
    const { document, warnings } = apply(PETS, overlay([{ target: '$.a', update }]));

    expect(document).toMatchObject({ a: update });
    expect(warnings).toEqual([]);
  });

  test('add to lists, and remove from them by what is there', () => {
    const { document } = apply(
      PETS,
      overlay([
        { target: '$.a.tags', update: 'z' },
        { target: '$.b', update: { tags: ['z'] } },
        { target: '$.list[?@.id < 3]', remove: true },
      ]),
    );

    expect(document).toMatchObject({
      a: { tags: ['x', 'z'] },
      b: { tags: ['y', 'z'] },
      list: [{ id: 3 }],
    });
  });

  test('follow one another, overlays too, and leave what was given as it was', () => {
    const before = structuredClone(PETS);
    const { document } = apply(
      PETS,
      overlay([
        { target: '$', update: { c: {} } },
        { target: '$.c', copy: '$.b' },
      ]),
      overlay([{ target: '$.c.name', update: 'c' }]),
    );

    expect(document).toMatchObject({ b: { name: 'b' }, c: { name: 'c', tags: ['y'] } });
    expect(PETS).toEqual(before);
  });

  test('change one place of what YAML aliases share', () => {
    const shared = { type: 'string' };

    expect(
      apply({ a: shared, b: shared }, overlay([{ target: '$.a', update: { x: 1 } }])).document,
    ).toEqual({ a: { type: 'string', x: 1 }, b: { type: 'string' } });
  });

  test('that match nothing are warnings, with their place and target', () => {
    const actions = [
      { target: '$.a', update: { x: 1 } },
      { target: '$.none', remove: true },
    ];

    expect(apply(PETS, overlay(actions)).warnings).toEqual([
      {
        where: '/overlays/0/actions/1',
        what: 'the target $.none matches nothing; 1 of 2 actions were applied',
        hint: 'Correct the target, or remove the action.',
      },
    ]);
  });
});

describe('what is refused', () => {
  const one = (action: Json) => overlay([{ target: '$.a', remove: true }, action]);

  test.each<[string, string, string]>([
    ['{', '/overlays/0 line 1, column 2', 'unexpected end'],
    ['[]', '/overlays/0', 'not an object'],
    [overlay([], { overlay: '2.0.0' }), '/overlays/0/overlay', 'not a version'],
    [overlay([{}], { info: 1 }), '/overlays/0/info', 'no object with a title'],
    [overlay([]), '/overlays/0/actions', 'no list of actions'],
    [one(1), '/overlays/0/actions/1', 'not an object'],
    [one({ update: {} }), '/overlays/0/actions/1/target', 'no JSONPath'],
    [one({ target: '$' }), '/overlays/0/actions/1', 'which one thing'],
    [one({ target: '$.b', update: {}, copy: '$' }), '/overlays/0/actions/1', 'which one thing'],
    [one({ $ref: '#/components/actions/x' }), '/overlays/0/actions/1', 'reusable action'],
    [one({ target: '$', remove: true }), '/overlays/0/actions/1', 'cannot be removed'],
    [one({ target: '$.b', update: 1 }), '/overlays/0/actions/1/update', 'not an object'],
    [one({ target: '$.b', copy: '$.*' }), '/overlays/0/actions/1/copy', 'matches 2 places'],
    [one({ target: '$.b', copy: '$.z' }), '/overlays/0/actions/1/copy', 'matches nothing'],
    [one({ target: '$.b[', update: {} }), '/overlays/0/actions/1/target', 'not a JSONPath'],
    [one({ target: '$.b~', update: {} }), '/overlays/0/actions/1/target', 'not a JSONPath'],
    [one({ target: '$..[?@.a == $.b]', update: {} }), '/overlays/0/actions/1/target', 'only `@`'],
    [one({ target: "$..[?match(@, 'a')]", update: {} }), '/overlays/0/actions/1/target', "'match'"],
    [
      one({ target: "$..[?search(@, 'a')]", update: {} }),
      '/overlays/0/actions/1/target',
      "'search'",
    ],
    [one({ target: `$${'.a'.repeat(600)}`, update: {} }), '/overlays/0/actions/1/target', 'longer'],
    [one({ target: '$.b', update: 'x'.repeat(70_000) }), '/overlays/0', 'too large'],
  ])('%.60s', (text, where, what) => {
    const { code, findings = [] } = refusalOf(() => apply(PETS, text));

    expect(code).toBe('invalid_request');
    expect(findings[0]).toMatchObject({ where, what: expect.stringContaining(what) });
  });

  test('an update that grows with what it matches', () => {
    const wide = { list: Array.from({ length: 2000 }, () => ({})) };
    const update = { text: 'x'.repeat(1000) };
    const refused = () => apply(wide, overlay([{ target: '$.list.*', update }]));

    expect(refusalOf(refused).findings?.[0]?.what).toContain('add more than 100000 characters');
  });

  test.each(['$..*..*..*..*..*', '$..[?@..[?@..[?@..[?@..x]]]]', '$..[?count(@..*..*..*) > 9]'])(
    'a path that takes too long: %s',
    (target) => {
      let deep: Json = {};
      for (let level = 0; level < 300; level += 1) deep = { a: deep, b: [level, level] };
      const refused = () => apply(deep, overlay([{ target, remove: true }]));

      expect(refusalOf(refused).findings?.[0]?.what).toMatch(/take more than .* steps|select/);
    },
  );

  // Each is one step of a path or an action; without its size, all of these would be within the budget.
  const list = (length: number, value: Json = 1): Json => Array.from({ length }, () => value);
  const names = (length: number): Json =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`name ${at}`, at]));
  const within = (levels: number, value: Json): Json =>
    levels === 0 ? value : { a: within(levels - 1, value) };
  const often = (count: number, term: string, between: string) =>
    Array.from({ length: count }, () => term).join(between);

  test.each<[string, Json, readonly Record<string, unknown>[]]>([
    [
      'objects that are compared',
      { x: { a: names(20_000), b: names(20_000) } },
      [{ target: `$[?${often(90, '@.a==@.b', '&&')}]`, update: {} }],
    ],
    [
      'lists that are compared',
      { x: { a: list(60_000), b: list(60_000) } },
      [{ target: `$[?${often(90, '@.a==@.b', '&&')}]`, update: {} }],
    ],
    [
      'texts that are compared',
      [[[[{ a: 'x'.repeat(500_000), b: 'x'.repeat(500_000) }]]]],
      [{ target: `$${`[${often(20, '0', ',')}]`.repeat(3)}[?@.a==@.b]`, update: {} }],
    ],
    [
      'objects whose names are counted',
      { x: { a: names(40_000) } },
      [{ target: `$[?${often(60, 'length(@.a)>1', '&&')}]`, update: {} }],
    ],
    [
      'terms without a path',
      { x: list(40_000) },
      [{ target: `$.x[?${often(150, '1==2', '||')}]`, update: {} }],
    ],
    [
      'locations of a long list that stands deep',
      within(480, list(90_000)),
      [{ target: `$${'.a'.repeat(480)}.*`, update: {} }],
    ],
    [
      'lists of which one element is removed',
      { x: list(20_000) },
      Array.from({ length: 500 }, () => ({ target: '$.x[0]', remove: true })),
    ],
    [
      'values that are replaced',
      { x: list(90_000) },
      Array.from({ length: 10 }, () => ({ target: '$.x.*', update: 1 })),
    ],
  ])('%s count their size', (_, document, actions) => {
    const refused = () =>
      applyOverlays(
        document,
        [overlay(actions as Json)],
        { ...limits, maxAdded: 1e9 },
        collectWarnings(),
      );

    expect(refusalOf(refused).findings?.[0]?.what).toBe(
      'the overlays take more than 3000000 steps together',
    );
  });

  test('comparing stops at the first difference', () => {
    const document = {
      x: { a: names(20_000), b: { ...(names(20_000) as object), 'name 0': null } },
    };
    const target = `$[?${often(90, '@.a==1', '||')}||@.a.z==@.b]`;

    expect(apply(document, overlay([{ target, remove: true }])).applications).toHaveLength(1);
  });

  test('the key __proto__', () => {
    const text =
      '{"overlay":"1.0.0","info":{"title":"x"},"actions":[{"target":"$","update":{"__proto__":{}}}]}';

    expect(refusalOf(() => apply(PETS, text)).findings?.[0]?.what).toContain('__proto__');
  });
});

describe('descriptions', () => {
  test('are checked as their overlays make them, in YAML too', () => {
    const mended = `
overlay: 1.0.0
info: { title: Mended, version: 1.0.0 }
actions:
  - target: $.paths['/pets'].get
    update: { operationId: listPets }
`;
    const text = JSON.stringify(aDescription());

    expect(readDescription(text, LIMITS, [mended]).operations).toMatchObject([
      { operationId: 'listPets' },
    ]);
    expect(
      refusalOf(() =>
        readDescription(text, LIMITS, [overlay([{ target: '$.paths.*', remove: true }])]),
      ).code,
    ).toBe('no_operations');
  });
});
