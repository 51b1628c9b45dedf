import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { compiled, onlyOf, propertiesOf, readTool } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

const string = { type: 'string' };
const held = {
  type: 'object',
  properties: { fieldname: string, encoding: string, filename: string, mimetype: string },
};
const valued = (value: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties: { value },
  ...more,
});

const upload = (
  properties: JsonObject,
  members: JsonObject = {},
  mediaType = 'multipart/form-data',
) => {
  const schema = { type: 'object', properties };
  const post = anOperation({ requestBody: { content: { [mediaType]: { schema } } } });
  const { tools, warnings } = compiled(aDescription({ paths: { '/a': { post } }, ...members }));
  return {
    properties: propertiesOf(readTool(onlyOf(tools))),
    warned: warnings.map(({ what }) => what),
  };
};

const DEF = { components: { schemas: { 'def-0': { type: 'object', title: 'pet' } } } };
const TOLD =
  'the part hello is described as an object of its value, as Fastify holds it; it is sent as that';

describe('a field of a form that Fastify describes', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['a file that it holds', { file: held }, {}],
    ['files that it holds', { files: { type: 'array', items: held } }, {}],
    ['a mark', { file: { ...string, isFile: true } }, {}],
    ['its names of components', {}, DEF],
  ])('is its value, which %s shows', (_, more, members) => {
    const hello = valued({ ...string, enum: ['a', 'b'] }, { description: 'A greeting.' });
    const { properties, warned } = upload({ hello, ...more }, members);

    expect(properties['hello']).toEqual({
      type: 'string',
      enum: ['a', 'b'],
      description: 'A greeting.',
    });
    expect(warned).toEqual([TOLD]);
  });

  test('is a file where it has what is held for one', () => {
    const { properties, warned } = upload({
      file: held,
      files: { type: 'array', items: held, maxItems: 2 },
    });

    expect(properties['file']?.['description']).toContain('A file: base64 text');
    expect(properties['files']).toMatchObject({
      maxItems: 2,
      items: { description: expect.stringContaining('A file: base64 text') },
    });
    expect(warned).toEqual([]);
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    ['nothing tells', valued(string), {}, 'multipart/form-data'],
    ['it is no form', valued(string), DEF, 'application/json'],
    [
      'it has more',
      valued(string, { properties: { value: string, unit: string } }),
      DEF,
      'multipart/form-data',
    ],
    ['its value is no plain one', valued(held), DEF, 'multipart/form-data'],
  ])('is an object where %s', (_, hello, members, mediaType) => {
    const { properties, warned } = upload({ hello }, members, mediaType);

    expect(properties['hello']?.['type']).toBe('object');
    expect(warned).not.toContain(TOLD);
  });
});
