import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { warningsOf } from '../../support/openapi/compile.ts';

const SCHEMES = {
  certificate: { type: 'mutualTLS' },
  negotiate: { type: 'http', scheme: 'Negotiate' },
  digest: { type: 'http', scheme: 'Digest' },
  bearer: { type: 'http', scheme: 'bearer' },
  token: { type: 'http', scheme: 'Token' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  login: { type: 'oauth2', flows: {} },
  openId: { type: 'openIdConnect', openIdConnectUrl: 'https://idp.example.com' },
};

const warned = (security: Json, root: Json = []) =>
  warningsOf({ security }, { components: { securitySchemes: SCHEMES }, security: root });

const wanting = (ways: string) => [
  `1 operation (POST /pets) wants a way to sign in that no credential here has: ${ways}`,
];

describe('a way to sign in that no credential has', () => {
  test.each<[string, Json]>([
    ['digest', [{ digest: [] }]],
    ['negotiate', [{ negotiate: [], bearer: [] }]],
    ['negotiate, digest', [{ negotiate: [] }, { digest: [] }]],
  ])('is told: %s', (ways, security) => {
    expect(warned(security)).toEqual(wanting(ways));
  });

  test('is described where the document requires it, and not where an operation does without', () => {
    const root = [{ digest: [] }];

    expect(warningsOf({}, { components: { securitySchemes: SCHEMES }, security: root })).toEqual(
      wanting('digest'),
    );
    expect(warned([], root)).toEqual([]);
  });

  test.each<[Json]>([
    [[{ bearer: [] }]],
    [[{ token: [] }]],
    [[{ key: [] }]],
    [[{ login: ['read'] }]],
    [[{ openId: [] }]],
    [[{ certificate: [] }]],
    [[{ digest: [] }, { bearer: [] }]],
    [[{ digest: [] }, {}]],
    [[{ unknown: [] }]],
    [[]],
    ['digest'],
    [[null]],
  ])('is not told where there is another: %j', (security) => {
    expect(warned(security)).toEqual([]);
  });
});

// `String` of an object asks for its `toString`, and the publication ended in a bare 500.
test.each<[string, Readonly<Record<string, Json>>, Readonly<Record<string, Json>>]>([
  [
    'the members of security schemes',
    { security: [{ odd: [] }, { key: [] }] },
    {
      components: {
        securitySchemes: {
          odd: { type: 'http', scheme: { toString: 1 } },
          key: { type: 'apiKey', name: { toString: 1 }, in: { toString: 1 } },
        },
      },
    },
  ],
  [
    'the names in rules of a body',
    {
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { a: {} },
              dependentRequired: { a: [{ toString: 1 }] },
            },
          },
        },
      },
    },
    {},
  ],
  [
    'an anchor',
    {
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } },
      },
    },
    {
      openapi: '3.1.0',
      components: { schemas: { Node: { $dynamicAnchor: { toString: 1 }, $dynamicRef: '#node' } } },
    },
  ],
])('an object with a toString of its own does no harm as %s', (_, operation, members) => {
  expect(warningsOf(operation, members)).toEqual(expect.any(Array));
});
