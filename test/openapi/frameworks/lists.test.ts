import { describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { compiled, onlyOf, swagger } from '../../support/openapi/compile.ts';

const list = (place: 'formData' | 'query', more: JsonObject = {}) => ({
  name: 'ids',
  in: place,
  type: 'array',
  items: { type: 'integer' },
  ...more,
});

const sentOf = (parameter: JsonObject, root: JsonObject, operationId = 'listItems') => {
  const { tools, warnings } = compiled(swagger({ operationId, parameters: [parameter] }, root));
  const request = buildRequest(prepareTool(onlyOf(toToolIndex(tools).tools)), { ids: [1, 2] });
  const sent = request.body ?? request.url.split('?')[1];
  return { sent: decodeURIComponent(String(sent)), said: warnings.map(({ what }) => what) };
};

describe('a list in Swagger 2.0', () => {
  const ofSwaggo = { info: { title: 'Shop', version: '1.0', contact: {} } };
  const definitions = { 'main.Item': { type: 'object' } };
  const ofPackage = {
    definitions,
    info: { title: 'Shop', version: '1.0', contact: { name: 'Shop' } },
  };
  const ofGrape = { tags: [{ name: 'items', description: 'Operations about items' }] };

  test.each(['query', 'formData'] as const)(
    'repeats its name where swaggo says csv as of all, in %s',
    (place) => {
      for (const root of [ofSwaggo, ofPackage]) {
        expect(sentOf(list(place, { collectionFormat: 'csv' }), root)).toEqual({
          sent: 'ids=1&ids=2',
          said: [expect.stringMatching(/written as a=1&a=2, as gin, Echo, Fiber with swaggo read/)],
        });
      }
    },
  );

  test.each(['query', 'formData'] as const)(
    'stays where somebody says otherwise, in %s',
    (place) => {
      const asked = { collectionFormat: 'csv', 'x-collection-format': 'csv' };

      expect(sentOf(list(place, asked), ofSwaggo)).toEqual({ sent: 'ids=1,2', said: [] });
      expect(sentOf(list(place, { collectionFormat: 'pipes' }), ofSwaggo).sent).toBe('ids=1|2');
      // The second as go-restful writes it, without a contact.
      for (const root of [{}, { definitions }]) {
        expect(sentOf(list(place, { collectionFormat: 'csv' }), root)).toEqual({
          sent: 'ids=1,2',
          said: [],
        });
      }
    },
  );

  test.each([
    ['query', /^lists in its query are written as a\[\]=1, as Grape/],
    ['formData', /lists as a\[\]=1, as Grape with grape-swagger read them$/],
  ] as const)('has brackets for Grape where nothing is declared, in %s', (place, said) => {
    expect(sentOf(list(place), ofGrape, 'postV1Items')).toEqual({
      sent: 'ids[]=1&ids[]=2',
      said: [expect.stringMatching(said)],
    });
    expect(sentOf(list(place, { collectionFormat: 'multi' }), ofGrape, 'postV1Items')).toEqual({
      sent: 'ids=1&ids=2',
      said: [],
    });
  });

  test('is as Swagger 2.0 has it beside a tag of the Petstore', () => {
    const tags = [
      { name: 'pet', description: 'Everything about your Pets' },
      { name: 'items', description: 'Operations about items' },
    ];

    expect(sentOf(list('query'), { tags }, 'postItems').sent).toBe('ids=1,2');
  });
});
