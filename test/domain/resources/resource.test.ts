import { describe, expect, test } from '@jest/globals';
import type { Resource } from '../../../layers/core/domain/deployment.ts';
import {
  fill,
  listResources,
  listResourceTemplates,
  MAX_FILLED_CHARACTERS,
  readResource,
} from '../../../layers/core/domain/resources/index.ts';

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

describe('listing resources', () => {
  test('shows those without variables', () => {
    expect(listResources(all)).toEqual([
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

  test('leaves out what the owner left out', () => {
    const [listed = {}] = listResources([aResource({})]);

    expect(Object.keys(listed)).toEqual(['uri', 'name', 'mimeType']);
  });

  test('shows those with variables as templates', () => {
    expect(listResourceTemplates(all)).toEqual([
      { uriTemplate: 'file:///{+path}', name: 'any', mimeType: 'text/plain' },
      { uriTemplate: 'file:///days/{day}', name: 'day', mimeType: 'text/plain' },
    ]);
  });
});

describe('reading a resource', () => {
  test('answers its text', () => {
    expect(readResource(all, 'file:///notes.md')).toEqual({
      uri: 'file:///notes.md',
      mimeType: 'text/markdown',
      text: 'Notes.',
    });
  });

  test('answers a binary one as blob', () => {
    expect(readResource(all, 'file:///p.png')).toEqual({
      uri: 'file:///p.png',
      mimeType: 'application/octet-stream',
      blob: 'aGk=',
    });
  });

  test('fills the variables of a template in', () => {
    expect(readResource([notes, day], 'file:///days/1%2F2')).toEqual({
      uri: 'file:///days/1%2F2',
      mimeType: 'text/plain',
      text: '# 1/2',
    });
  });

  test('takes the first template that matches', () => {
    expect(readResource(all, 'file:///days/1')).toMatchObject({ text: 'any days/1' });
  });

  test('leaves a binary template as it is', () => {
    const scan = aResource({ uri: 'file:///{id}.png', encoding: 'base64', content: 'aGk=' });

    expect(readResource([scan], 'file:///7.png')).toMatchObject({ blob: 'aGk=' });
  });

  test.each([
    ['an unknown uri', 'file:///other.md'],
    ['a template itself', 'file:///days/{day}'],
    ['nothing', ''],
  ])('refuses %s', (_, uri) => {
    expect(() => readResource([notes, day], uri)).toThrow(
      expect.objectContaining({ code: 'resource_not_found', data: { uri } }),
    );
  });

  test.each([
    ['no uri', undefined, 'is required'],
    ['null', null, 'must be a string'],
    ['a number', 7, 'must be a string'],
  ])('refuses %s', (_, uri, message) => {
    expect(() => readResource(all, uri)).toThrow(
      expect.objectContaining({
        code: 'invalid_params',
        data: { errors: [{ path: '/uri', message }] },
      }),
    );
  });
});

describe('filling variables into a document', () => {
  test.each([
    ['every place of a variable', '{{a}} {{ a }}', '1 1'],
    ['no other names', '{{c}} {{#if a}} {a}', '{{c}} {{#if a}} {a}'],
    ['no names of Object.prototype', '{{constructor}}', '{{constructor}}'],
    ['values as they are', '{{b}}', '{{a}} $& $1'],
  ])('fills %s', (_, content, expected) => {
    expect(fill(content, { a: '1', b: '{{a}} $& $1' })).toBe(expected);
  });

  test('is refused when values add more than a megabyte', () => {
    const a = 'x'.repeat(MAX_FILLED_CHARACTERS / 2);

    expect(fill('{{a}}{{a}}', { a })).toHaveLength(MAX_FILLED_CHARACTERS);
    expect(() => fill('{{a}}{{a}}{{b}}', { a, b: 'x' })).toThrow('too long');
  });

  test.each(['{', '{{ ', '{{a', '{{a '])('takes a megabyte of %j', (piece) => {
    const content = piece.repeat(1_000_000 / piece.length);

    expect(fill(content, { a: '1' }) === content).toBe(true);
  });
});
