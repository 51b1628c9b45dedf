import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { propertiesOf, toolOf } from '../../support/openapi/compile.ts';

const string = { type: 'string' };

const object = (properties: JsonObject, xml: JsonObject = {}) => ({
  type: 'object',
  properties,
  ...(Object.keys(xml).length > 0 ? { xml } : {}),
});

/** What is told of the one argument of `POST /pets`, whose body is XML. */
const toldOf = (schema: Json, schemas: JsonObject = {}) => {
  const requestBody = { required: true, content: { 'application/xml': { schema } } };
  return propertiesOf(toolOf({ requestBody }, { components: { schemas } }))['body']?.[
    'description'
  ];
};

const told = (outline: string) => `The body as text (application/xml). In this form: ${outline}`;

describe('a body of XML', () => {
  test.each<[string, Json, string]>([
    [
      'elements in their order, with types, formats and values',
      object(
        {
          name: string,
          born: { type: 'string', format: 'date' },
          legs: { type: 'integer' },
          state: { type: 'string', enum: ['a', 'b'] },
        },
        { name: 'pet' },
      ),
      '<pet><name>string</name><born>date</born><legs>integer</legs><state>a|b</state></pet>',
    ],
    [
      'attributes, namespaces and prefixes',
      object(
        {
          id: { type: 'integer', xml: { attribute: true } },
          name: { ...string, xml: { prefix: 'p' } },
        },
        { name: 'pet', namespace: 'urn:pets', prefix: 'p' },
      ),
      '<p:pet xmlns:p="urn:pets" id="integer"><p:name>string</p:name></p:pet>',
    ],
    [
      'lists with an element around them and without',
      object(
        {
          tags: {
            type: 'array',
            items: { ...string, xml: { name: 'tag' } },
            xml: { wrapped: true },
          },
          toys: { type: 'array', items: string },
          ids: { type: 'array', items: string, xml: { name: 'id', wrapped: true } },
        },
        { name: 'pet' },
      ),
      '<pet><tags><tag>string</tag>…</tags><toys>string</toys>…<id><id>string</id>…</id></pet>',
    ],
    [
      'nothing that only answers have',
      object({ id: { ...string, readOnly: true }, name: string }, { name: 'pet' }),
      '<pet><name>string</name></pet>',
    ],
    [
      'the only property of an object without a name as the outermost element',
      object({ Pet: object({ name: string }) }),
      '<Pet><name>string</name></Pet>',
    ],
  ])('is told with %s', (_, schema, outline) => {
    expect(toldOf(schema)).toBe(told(outline));
  });

  test('is called as its component, and told once where it contains itself', () => {
    const Pet = object({ name: string, parent: { $ref: '#/components/schemas/Pet' } });

    expect(toldOf({ $ref: '#/components/schemas/Pet' }, { Pet })).toBe(
      told('<Pet><name>string</name><parent>…</parent></Pet>'),
    );
  });

  test('is told in less depth where there is no room for all of it', () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `a${at}`,
        object({ long: object({ longer: string }) }),
      ]),
    );
    const text = String(toldOf(object(many, { name: 'pet' })));

    expect(text).toContain('<a0><long>…</long></a0>');
    expect(text).not.toContain('longer');
    expect(text.length).toBeLessThan(1600);
  });

  test.each<[string, Json]>([
    ['no name', object({ a: string, b: string })],
    [
      'more elements than there is room for',
      object(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`a${at}`, string])), {
        name: 'pet',
      }),
    ],
  ])('is told without its form where it has %s', (_, schema) => {
    expect(toldOf(schema)).toBe('The body as text (application/xml).');
  });
});
