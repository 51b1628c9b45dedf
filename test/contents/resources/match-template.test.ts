import { describe, expect, test } from '@jest/globals';
import { isTemplate, parseUriTemplate } from '../../../layers/contents/resources/uri-template.ts';
import {
  matchTemplate,
  MAX_URI_LENGTH,
} from '../../../layers/contents/resources/match-template.ts';

describe('a resource URI', () => {
  test.each([
    ['file:///a/{b}', true],
    ['file:///a{?b}', true],
    ['file:///a/{b*}', true],
    ['file:///a/b', false],
    ['file:///a/{b', false],
    ['file:///a/b}', false],
  ])('%s is a URI template: %s', (uri, expected) => {
    expect(isTemplate(uri)).toBe(expected);
  });
});

describe('matching a URI with a template', () => {
  test.each([
    ['f:/{a}', 'f:/x', { a: 'x' }],
    ['f:/{a}/n/{b}', 'f:/x/n/y', { a: 'x', b: 'y' }],
    ['f:/{a}-{b}.md', 'f:/1-2-3.md', { a: '1', b: '2-3' }],
    ['f:/{a}.md', 'f:/x.md.md', { a: 'x.md' }],
    ['f:/{a}', 'f:/x%20%C3%A9%2F', { a: 'x é/' }],
    ['f:/x?q={a}&r={b}', 'f:/x?q=1&r=2', { a: '1', b: '2' }],
    ['{a}', 'x', { a: 'x' }],
    ['f:/{+a}', 'f:/x/y?z#w', { a: 'x/y?z#w' }],
    ['f:/{+a}/raw', 'f:/x/raw/raw', { a: 'x/raw' }],
    ['f:/{+a}{?q}', 'f:/x/y?q=1', { a: 'x/y', q: '1' }],
    ['f:/{+a}{#b}', 'f:/x/y#z', { a: 'x/y', b: 'z' }],
    ['f:/x{#a}', 'f:/x#y/z', { a: 'y/z' }],
    ['f:/x{#a}', 'f:/x', { a: '' }],
    ['f:{/a}', 'f:/x', { a: 'x' }],
    ['f:/x{/a,b}', 'f:/x/1/2', { a: '1', b: '2' }],
    ['f:/x{/a,b}', 'f:/x/1', { a: '1', b: '' }],
    ['f:/x{/a,b}', 'f:/x', { a: '', b: '' }],
    ['f:/{x}{/a}', 'f:/1/2', { x: '1', a: '2' }],
    ['f:/x{?a,b}', 'f:/x?a=1&b=2', { a: '1', b: '2' }],
    ['f:/x{?a,b}', 'f:/x?b=2&a=1', { a: '1', b: '2' }],
    ['f:/x{?a,b}', 'f:/x?b=', { a: '', b: '' }],
    ['f:/x{?a,b}', 'f:/x', { a: '', b: '' }],
    ['f:/x?y=1{&a}', 'f:/x?y=1&a=2', { a: '2' }],
    ['f:/x{?a}{#b}', 'f:/x?a=1#2', { a: '1', b: '2' }],
    ['f:/{constructor}', 'f:/x', { constructor: 'x' }],
  ])('with %s extracts the variables of %s', (template, uri, expected) => {
    expect(matchTemplate(template, uri)).toEqual(expected);
  });

  test('extracts a variable named __proto__ like any other', () => {
    const variables = matchTemplate('f:/{__proto__}', 'f:/x') ?? {};

    expect(Object.entries(variables)).toEqual([['__proto__', 'x']]);
  });

  test.each([
    ['another start', 'f:/{a}', 'g:/x'],
    ['an empty value', 'f:/{a}', 'f:/'],
    ['an empty value before text', 'f:/{a}/n', 'f://n'],
    ['an empty reserved value', 'f:/{+a}', 'f:/'],
    ['a second segment', 'f:/{a}', 'f:/x/y'],
    ['a climb out of the segment', 'f:/{a}/n', 'f:/../x/n'],
    ['a query', 'f:/{a}', 'f:/x?y=1'],
    ['another end', 'f:/{a}.md', 'f:/x.txt'],
    ['text after the end', 'f:/{a}/n', 'f:/x/n/'],
    ['an unknown parameter', 'f:/x{?a}', 'f:/x?b=1'],
    ['a parameter twice', 'f:/x{?a}', 'f:/x?a=1&a=2'],
    ['a third segment', 'f:/x{/a,b}', 'f:/x/1/2/3'],
    ['an empty segment', 'f:/x{/a}', 'f:/x/'],
    ['a broken escape', 'f:/{a}', 'f:/%'],
    ['bytes that are not UTF-8', 'f:/{a}', 'f:/%ff'],
    ['braces', 'f:/{a}', 'f:/{a}'],
    ['a URI that is too long', 'f:/{a}', `f:/${'x'.repeat(MAX_URI_LENGTH - 2)}`],
  ])('fails for %s', (_, template, uri) => {
    expect(matchTemplate(template, uri)).toBeUndefined();
  });

  test('works up to the maximum URI length', () => {
    expect(matchTemplate('f:/{a}', `f:/${'x'.repeat(MAX_URI_LENGTH - 3)}`)).toBeDefined();
  });

  test('takes little time for a hostile URI', () => {
    const template = `${Array.from({ length: 200 }, (_, i) => `{v${i}}-`).join('')}!`;

    expect(matchTemplate(template, '-'.repeat(MAX_URI_LENGTH))).toBeUndefined();
  });
});

describe('a URI template with an unsupported expression', () => {
  test.each([
    'f:/{a,b}',
    'f:/{+a,b}',
    'f:/{a*}',
    'f:/{a:3}',
    'f:/{.a}',
    'f:/{;a}',
    'f:/{}',
    'f:/{!a}',
    'f:/{?}',
    'f:/{a}{b}',
    'f:/{a}/{a}',
    'f:/{a}/}',
  ])('is not recognized as a template: %s', (template) => {
    expect(parseUriTemplate(template)).toBeUndefined();
    expect(matchTemplate(template, 'f:/x')).toBeUndefined();
  });
});
