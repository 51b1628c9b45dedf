import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { argumentOf } from '../../support/openapi/compile.ts';

describe('a text that holds another form', () => {
  const told = (schema: JsonObject) => argumentOf({ type: 'string', ...schema })['description'];

  test.each<[string, JsonObject, string]>([
    ['JSON', { contentMediaType: 'application/json' }, 'JSON text.'],
    [
      'JSON with described members',
      {
        contentMediaType: 'application/json',
        contentSchema: { type: 'object', properties: { a: {}, b: {} } },
      },
      'JSON text with a, b.',
    ],
    ['JSON of a kind of its own', { contentMediaType: 'application/geo+json' }, 'JSON text.'],
    ['HTML', { contentMediaType: 'text/html; charset=utf-8' }, 'Text of the type text/html.'],
  ])('says so: %s', (_, schema, description) => {
    expect(told(schema)).toBe(description);
  });

  test.each<JsonObject>([{ contentMediaType: 'text/plain' }, { contentMediaType: 'json' }])(
    'says nothing of %j',
    (schema) => {
      expect(told(schema)).toBeUndefined();
    },
  );
});

test('a description has characters where it was written with entities', () => {
  const description =
    'Tom &amp; <b>Jerry</b>, a &lt; b, &quot;c&quot; &#39;d&#39;&nbsp;e &copy; &unknown;';

  expect(argumentOf({ type: 'string', description })['description']).toBe(
    `Tom & Jerry, a < b, "c" 'd' e &copy; &unknown;`,
  );
});
