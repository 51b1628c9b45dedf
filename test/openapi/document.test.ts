import { describe, expect, test } from '@jest/globals';
import { type Json, member, textMember } from '../../layers/platform/rules/json/json.ts';
import { pointerTo, resolveFragment } from '../../layers/platform/rules/json/pointer.ts';
import { resolved, target } from '../../layers/openapi/document.ts';

describe('a JSON pointer', () => {
  test('escapes tildes and slashes', () => {
    expect(pointerTo('paths', '/pets/{id}', 'a~b', 0)).toBe('/paths/~1pets~1{id}/a~0b/0');
  });

  test('of nothing is the whole document', () => {
    expect(pointerTo()).toBe('');
  });
});

describe('resolving a reference', () => {
  const root = {
    a: { 'b/c': { 'd~e': 1 }, '%41': 'percent', A: 'letter', '100%': 'bare', '': { x: 'empty' } },
    list: ['zero', { one: 1 }],
    nothing: null,
  };

  test.each([
    ['#', root],
    ['#/a/b~1c/d~0e', 1],
    ['#/a/%41', 'letter'],
    ['#/a/100%', 'bare'],
    ['#/a//x', 'empty'],
    ['#/list/0', 'zero'],
    ['#/list/1/one', 1],
    ['#/nothing', null],
  ])('%s finds what stands there', (ref, value) => {
    expect(resolveFragment(root, ref)).toEqual(value);
  });

  test.each([
    ['#/b'],
    ['#/a/b~1c/d~0e/f'],
    ['#/list/2'],
    ['#/list/-'],
    ['#/list/01'],
    ['#/list/length'],
    ['#/nothing/x'],
    ['#/constructor'],
    ['#/a/__proto__'],
    ['#/a/hasOwnProperty'],
    ['#a'],
    ['a'],
    [''],
    ['http://example.com/#/a'],
  ])('%s finds nothing', (ref) => {
    expect(resolveFragment(root, ref)).toBeUndefined();
  });
});

describe('following references', () => {
  const components = {
    pet: { $ref: '#/cat', description: 'a pet', required: ['x'] },
    cat: { name: 'cat', description: 'a cat' },
    loop: { $ref: '#/pool' },
    pool: { $ref: '#/loop' },
    lost: { $ref: '#/nowhere' },
    text: { $ref: 'cat' },
  };

  test('ends at the last one, without what is beside them', () => {
    expect(target(components, components.pet)).toBe(components.cat);
    expect(resolved({ ...components, openapi: '3.0.3' }, components.pet)).toBe(components.cat);
  });

  test('keeps the summary and description of the first from OpenAPI 3.1 on', () => {
    const root = { ...components, openapi: '3.1.0' };
    const chain = { $ref: '#/pet', summary: 'mine', description: 'my pet' };

    expect(resolved(root, components.pet)).toEqual({ name: 'cat', description: 'a pet' });
    expect(resolved(root, chain)).toEqual({ name: 'cat', summary: 'mine', description: 'my pet' });
  });

  test.each(['loop', 'lost', 'text'] as const)('leads nowhere from %s', (name) => {
    expect(resolved(components, components[name])).toBeUndefined();
  });

  test.each([
    [16, { name: 'end' }],
    [17, undefined],
  ])('goes on for 16 references: of %i it finds %j', (length, end) => {
    const chain = Array.from({ length }, (_, index) => ({ $ref: `#/chain/${index + 1}` }));
    const root = { chain: [...chain, { name: 'end' }] };

    expect(target(root, { $ref: '#/chain/1' })).toEqual(end);
  });
});

test('a member is never one of the prototype', () => {
  expect(member({}, 'toString')).toBeUndefined();
  expect(member({ toString: 'own' }, 'toString')).toBe('own');
});

test.each<[Json, string]>([
  ['pets', 'pets'],
  [200, '200'],
  [true, 'true'],
  [null, ''],
  [['pets'], ''],
  [{ toString: 1 }, ''],
])('the text of a member that is %j is %j', (value, text) => {
  expect(textMember({ name: value }, 'name')).toBe(text);
});

test('the text of a member that is not there is empty', () => {
  expect(textMember({}, 'toString')).toBe('');
});
