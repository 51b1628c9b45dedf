import { describe, expect, test } from '@jest/globals';
import type { Resource } from '../../../layers/contents/rules/contents.ts';
import {
  fill,
  listResources,
  listResourceTemplates,
  MAX_FILLED_CHARACTERS,
  readResource,
} from '../../../layers/contents/resources/resource.ts';

const aResource = (given: Partial<Resource>): Resource => ({
  name: 'notes',
  uri: 'file:///notes.md',
  content: 'Notes.',
  encoding: 'text',
  ...given,
});

const notes = aResource({ title: 'Notes', description: 'All notes.', mimeType: 'text/markdown' });
const picture = aResource({
  name: 'picture',
  uri: 'file:///p.png',
  encoding: 'base64',
  content: 'aGk=',
});
const day = aResource({ name: 'day', uri: 'file:///days/{day}', content: '# {{day}}' });
const anyFile = aResource({ name: 'any', uri: 'file:///{+path}', content: 'any {{path}}' });
const all = [notes, picture, anyFile, day];

describe('listing resources and resource templates', () => {
  test('lists the resources without variables', () => {
    expect(listResources(all, '2025-03-26')).toEqual([
      {
        uri: 'file:///notes.md',
        name: 'notes',
        title: 'Notes',
        description: 'All notes.',
        mimeType: 'text/markdown',
      },
      { uri: 'file:///p.png', name: 'picture', mimeType: 'application/octet-stream' },
    ]);
  });

  test('omits fields that the owner did not set', () => {
    const [listed = {}] = listResources([aResource({})], '2025-03-26');

    expect(Object.keys(listed)).toEqual(['uri', 'name', 'mimeType']);
  });

  test('lists the resources with variables as templates', () => {
    expect(listResourceTemplates(all, '2025-03-26')).toEqual([
      { uriTemplate: 'file:///{+path}', name: 'any', mimeType: 'text/plain' },
      { uriTemplate: 'file:///days/{day}', name: 'day', mimeType: 'text/plain' },
    ]);
  });
});

describe('what is listed of a resource besides', () => {
  const versions = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
  const written = aResource({ updatedAt: 1_800_000_000 });
  const sized = [aResource({ content: 'é' }), picture, aResource({ content: '' })];
  const owned = { audience: ['user', 'assistant'], priority: 0 } as const;

  test.each(versions)('is in %s its size in bytes, before base64', (version) => {
    const sizes = listResources(sized, version).map(({ size }) => size);

    expect(sizes).toEqual(version === '2025-03-26' ? [undefined, undefined, undefined] : [2, 2, 0]);
  });

  test.each(versions)('is in %s when it was written', (version) => {
    const lastModified = { annotations: { lastModified: '2027-01-15T08:00:00.000Z' } };
    const template = { ...written, uri: 'file:///{a}' };

    expect(listResources([written], version)[0]).toMatchObject(
      version === '2025-03-26' ? {} : lastModified,
    );
    const [listed] = listResourceTemplates([template], version);
    expect(listed?.annotations).toEqual(
      version === '2025-03-26' ? undefined : lastModified.annotations,
    );
  });

  test.each(versions)('is in %s with its audience and priority', (version) => {
    const [listed] = listResources([aResource(owned)], version);

    expect(listed?.annotations).toEqual(owned);
  });
});

describe('reading a resource', () => {
  test('returns a text resource as text', () => {
    expect(readResource(all, 'file:///notes.md')).toEqual({
      uri: 'file:///notes.md',
      mimeType: 'text/markdown',
      text: 'Notes.',
    });
  });

  test('returns a binary resource as a blob', () => {
    expect(readResource(all, 'file:///p.png')).toEqual({
      uri: 'file:///p.png',
      mimeType: 'application/octet-stream',
      blob: 'aGk=',
    });
  });

  test('substitutes the variables of a template', () => {
    expect(readResource([notes, day], 'file:///days/1%2F2')).toEqual({
      uri: 'file:///days/1%2F2',
      mimeType: 'text/plain',
      text: '# 1/2',
    });
  });

  test('uses the first template that matches', () => {
    expect(readResource(all, 'file:///days/1')).toMatchObject({ text: 'any days/1' });
  });

  test('returns the content of a binary template unchanged', () => {
    const scan = aResource({ uri: 'file:///{id}.png', encoding: 'base64', content: 'aGk=' });

    expect(readResource([scan], 'file:///7.png')).toMatchObject({ blob: 'aGk=' });
  });

  test.each([
    ['an unknown URI', 'file:///other.md'],
    ['a template itself', 'file:///days/{day}'],
    ['an empty URI', ''],
  ])('refuses %s', (_, uri) => {
    expect(() => readResource([notes, day], uri)).toThrow(
      expect.objectContaining({ code: 'resource_not_found', data: { uri } }),
    );
  });

  test.each([
    ['a missing URI', undefined, 'is required'],
    ['null as the URI', null, 'must be a string'],
    ['a number as the URI', 7, 'must be a string'],
  ])('refuses %s', (_, uri, message) => {
    expect(() => readResource(all, uri)).toThrow(
      expect.objectContaining({
        code: 'invalid_params',
        data: { errors: [{ path: '/uri', message }] },
      }),
    );
  });
});

describe('substituting variables in a resource', () => {
  test.each([
    ['every occurrence of a variable', '{{a}} {{ a }}', '1 1'],
    ['only the names that the template has', '{{c}} {{#if a}} {a}', '{{c}} {{#if a}} {a}'],
    ['only own names and none of Object.prototype', '{{constructor}}', '{{constructor}}'],
    ['values without substituting inside them', '{{b}}', '{{a}} $& $1'],
  ])('substitutes %s', (_, content, expected) => {
    expect(fill(content, { a: '1', b: '{{a}} $& $1' })).toBe(expected);
  });

  test('is refused when the values add more than a megabyte', () => {
    const a = 'x'.repeat(MAX_FILLED_CHARACTERS / 2);

    expect(fill('{{a}}{{a}}', { a })).toHaveLength(MAX_FILLED_CHARACTERS);
    expect(() => fill('{{a}}{{a}}{{b}}', { a, b: 'x' })).toThrow('too long');
  });

  test.each(['{', '{{ ', '{{a', '{{a '])('handles a megabyte of %j', (piece) => {
    const content = piece.repeat(1_000_000 / piece.length);

    expect(fill(content, { a: '1' }) === content).toBe(true);
  });
});
