import { describe, expect, test } from '@jest/globals';
import { draftOf, overrideFrom } from '../../../console/src/pages/server/tools/change-draft.ts';
import {
  argumentsOf,
  NOTHING,
  readArguments,
} from '../../../console/src/pages/server/tools/tool-arguments.ts';
import { browserOf } from '../../../console/src/kit/words.ts';
import { meantBy, pageAt, PAGES } from '../../../console/src/routes.ts';

describe('a form for the arguments of a tool', () => {
  const all = argumentsOf({
    type: 'object',
    required: ['id', 'size'],
    properties: {
      id: { type: 'string' },
      size: { type: 'integer' },
      big: { type: 'integer' },
      wet: { type: 'boolean' },
      kind: { enum: ['a', 'b'] },
      names: { type: 'array', items: { type: 'string' } },
    },
  });

  test('knows the control of each schema', () => {
    expect(all.map(({ name, kind, type, required }) => [name, kind, type, required])).toEqual([
      ['id', 'text', 'text', true],
      ['size', 'number', 'whole number', true],
      ['big', 'number', 'whole number', false],
      ['wet', 'boolean', 'yes or no', false],
      ['kind', 'choice', 'one of 2', false],
      ['names', 'json', 'list of text', false],
    ]);
  });

  test('has a field of one type where nothing may be sent instead', () => {
    const nullable = argumentsOf({
      properties: {
        note: { type: ['string', 'null'] },
        about: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        weight: { type: ['number', 'null'] },
        kind: { type: ['string', 'null'], enum: ['a', null] },
        either: { type: ['integer', 'boolean'] },
      },
    });
    expect(
      nullable.map(({ name, kind, type, isNullable }) => [name, kind, type, isNullable]),
    ).toEqual([
      ['note', 'text', 'text or nothing', true],
      ['about', 'text', 'text or nothing', true],
      ['weight', 'number', 'number or nothing', true],
      ['kind', 'choice', 'one of 2', true],
      ['either', 'json', 'whole number or yes or no', false],
    ]);
    const typed = { note: 'hello', about: NOTHING, weight: '', kind: NOTHING, either: 'true' };
    expect(readArguments(nullable, typed)).toEqual({
      values: { note: 'hello', about: null, kind: null, either: true },
      faults: {},
    });
  });

  test('sends a choice as the value that it is', () => {
    const choice = argumentsOf({ properties: { size: { enum: [1, 2] } } });
    expect(readArguments(choice, { size: '2' }).values).toEqual({ size: 2 });
  });

  test('takes text without quotes where any value may be sent, unless it begins as JSON', () => {
    const any = argumentsOf({ properties: { value: {}, list: { type: 'array' } } });
    expect(readArguments(any, { value: 'hello' }).values).toEqual({ value: 'hello' });
    expect(readArguments(any, { value: '[1]' }).values).toEqual({ value: [1] });
    expect(readArguments(any, { value: '{"a"' }).faults).toHaveProperty('value');
    expect(readArguments(any, { list: 'hello' }).faults).toHaveProperty('list');
  });

  test('sends values of their types, and leaves out what is empty', () => {
    const typed = {
      id: '007',
      size: '3',
      big: '12345678901234567890',
      wet: 'false',
      names: '["x"]',
    };

    expect(readArguments(all, typed)).toEqual({
      values: { id: '007', size: 3, big: '12345678901234567890', wet: false, names: ['x'] },
      faults: {},
    });
  });

  test('reports what is missing and what is no JSON, each at its place', () => {
    const { faults } = readArguments(all, { size: 'three', names: '[' });

    expect(faults).toEqual({ id: 'It is required.', names: expect.stringContaining('no JSON') });
  });

  test.each([undefined, null, 'x', [], { properties: [] }])('makes nothing of %j', (schema) => {
    expect(argumentsOf(schema)).toEqual([]);
  });
});

describe('changing a tool', () => {
  const override = {
    name: 'find',
    annotations: { read_only_hint: true, destructive_hint: false },
    answer_fields: ['/items/*/id', '/total'],
    answer_headers: ['x-total-count', 'x-page-*'],
    keywords: ['buy', 'order'],
    argument_checks: 'lenient' as const,
    always_load: true,
    arguments: { key: { value: 'x"y' }, trace: { hidden: true } },
  };

  test('a form that nobody touches changes nothing', () => {
    expect(overrideFrom(draftOf(override))).toEqual({ override, faults: {} });
    expect(overrideFrom(draftOf({}))).toEqual({ override: null, faults: {} });
    const none = { answer_headers: [] };
    expect(overrideFrom(draftOf(none))).toEqual({ override: none, faults: {} });
  });

  test('a form shows the texts of its tool, and keeps those alone that somebody changed', () => {
    const shown = { name: 'listPets', title: 'Pets', description: 'Lists the pets.' };
    const draft = draftOf({}, shown);
    expect(draft).toMatchObject(shown);
    expect(overrideFrom(draft, {}, shown).override).toBeNull();
    const changed = { ...draft, description: 'Lists all pets. ' };
    expect(overrideFrom(changed, {}, shown).override).toEqual({ description: 'Lists all pets.' });
    const own = { name: 'listPets' };
    expect(overrideFrom(draftOf(own, shown), own, shown).override).toEqual(own);
    expect(overrideFrom({ ...draft, name: '' }, own, shown).override).toBeNull();
  });

  test('what the form does not show stays', () => {
    const before = { structured_output: 'on', answer_token_budget: null } as const;

    expect(overrideFrom(draftOf({}), before)).toEqual({ override: before, faults: {} });
  });

  test('a member of answers has to be a pointer', () => {
    const draft = { ...draftOf({}), answerFields: '/items/*/id\n\n items ' };

    expect(Object.keys(overrideFrom(draft).faults)).toEqual(['answerFields']);
  });

  test('what the form empties is taken away', () => {
    const before = { keywords: ['find'], argument_checks: 'strict' } as const;
    const shown = { ...before, keywords: [...before.keywords] };

    expect(overrideFrom(draftOf({}), shown)).toEqual({ override: null, faults: {} });
  });

  test('keywords are at most 20', () => {
    const draft = { ...draftOf({}), keywords: Array.from({ length: 21 }, String).join('\n') };

    expect(Object.keys(overrideFrom(draft).faults)).toEqual(['keywords']);
  });

  test('a fixed value has to be JSON', () => {
    const draft = draftOf({ arguments: { key: { value: 1 } } });
    const { faults } = overrideFrom({ ...draft, arguments: { key: { as: 'fixed', value: 'x' } } });

    expect(Object.keys(faults)).toEqual(['key']);
  });
});

describe('addresses of pages', () => {
  test('each leads to its page', () => {
    for (const { path } of PAGES) {
      const address = path.replace('{slug}', 'my-api').replace('{name}', 'a%2Fb');
      expect(pageAt(address)?.page.path).toBe(path);
    }
    expect(pageAt('/servers/my-api/content/prompts/a%2Fb')?.params).toEqual({
      slug: 'my-api',
      name: 'a/b',
    });
  });

  test.each(['/', '/nowhere', '/servers/my-api', '/servers/my-api/tools/x/y'])(
    '%s is none',
    (path) => {
      expect(pageAt(path)).toBeUndefined();
    },
  );
});

describe('an address that was cut short', () => {
  test.each([
    ['/servers/my-api', '/servers/my-api/tools'],
    ['/servers/a%2Fb/', '/servers/a%2Fb/tools'],
    ['/operator', '/operator/accounts'],
    ['/servers', undefined],
    ['/nowhere', undefined],
  ])('%s means %s', (short, meant) => {
    expect(meantBy(short)).toBe(meant);
    expect(meant === undefined || pageAt(meant)).toBeTruthy();
  });
});

describe('a browser that is signed in', () => {
  const GECKO = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';

  test.each([
    [GECKO, 'Firefox on Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`, 'Chrome on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0) ${CHROME} Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Linux; Android 16) ${CHROME} Mobile Safari/537.36`, 'Chrome on Android'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 15) ${WEBKIT} Safari/605.1.15`, 'Safari on macOS'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${WEBKIT} Safari/604.1`,
      'Safari on iOS',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
  ])('is told by what people call it: %s', (agent, name) => {
    expect(browserOf(agent)).toBe(name);
  });
});
