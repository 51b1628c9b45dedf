import { describe, expect, test } from '@jest/globals';
import { proposedCredentials } from '../../../layers/openapi/credential-needs.ts';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

const SCHEMES = {
  bearer: { type: 'http', scheme: 'Bearer' },
  basic: { type: 'http', scheme: 'basic' },
  token: { type: 'http', scheme: 'Token' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  app: { type: 'apiKey', in: 'query', name: 'app' },
  sigv4: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    'x-amazon-apigateway-authtype': 'awsSigv4',
  },
  hmac: { type: 'http', scheme: 'hmac' },
  certificate: { type: 'mutualTLS' },
  login: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://x', scopes: {} } } },
  fleet: {
    type: 'oauth2',
    flows: {
      clientCredentials: {
        tokenUrl: '/oauth/token',
        scopes: { 'fleet.read': '', 'fleet.write': '' },
      },
    },
  },
  person: { type: 'oauth2', flows: { authorizationCode: { tokenUrl: 'https://x', scopes: {} } } },
  issuer: {
    type: 'openIdConnect',
    openIdConnectUrl: 'https://login.example.com/t/.well-known/openid-configuration',
  },
  nameless: { type: 'apiKey', in: 'header' },
  prefixed: { type: 'apiKey', in: 'header', name: 'Authorization: Bearer' },
  browser: { type: 'apiKey', in: 'cookie', name: 'sid' },
  colon: { type: 'apiKey', in: 'header', name: 'X-Key:' },
  blank: { type: 'apiKey', in: 'header', name: 'API Key' },
  word: { type: 'apiKey', in: 'header', name: 'authorization: Token' },
  strange: { type: 'x-strange' },
};

const needs = (...securities: readonly Json[]) => {
  const paths = Object.fromEntries(
    securities.map((security, index) => [`/p${index}`, { get: anOperation({ security }) }]),
  );
  return compiled(aDescription({ paths, components: { securitySchemes: SCHEMES } }))
    .credentialNeeds;
};

describe('what operations ask of a credential', () => {
  test.each<[string, Json, object]>([
    ['a bearer token', [{ bearer: [] }], { ways: [{ type: 'bearer' }] }],
    ['a user name and a password', [{ basic: [] }], { ways: [{ type: 'basic' }] }],
    ['a key', [{ key: [] }], { ways: [{ type: 'api_key', name: 'X-Key', in: 'header' }] }],
    [
      'a header that is written with the word before its value',
      [{ prefixed: [] }],
      { ways: [{ type: 'bearer' }] },
    ],
    [
      'a header with another word',
      [{ word: [] }],
      { ways: [{ type: 'api_key', name: 'authorization', in: 'header' }] },
    ],
    [
      'a header with its colon',
      [{ colon: [] }],
      { ways: [{ type: 'api_key', name: 'X-Key', in: 'header' }] },
    ],
    [
      'a name that no header has, as it is',
      [{ blank: [] }],
      { ways: [{ type: 'api_key', name: 'API Key', in: 'header' }] },
    ],
    [
      'a header of its own form',
      [{ token: [] }],
      { ways: [{ type: 'api_key', name: 'Authorization', in: 'header' }] },
    ],
    [
      'a token that an OAuth client gets',
      [{ login: ['read'] }],
      {
        ways: [{ type: 'bearer' }],
        expires: true,
        client: { tokenUrl: 'https://x/', scopes: ['read'] },
      },
    ],
    ['a token that ends', [{ person: ['read'] }], { ways: [{ type: 'bearer' }], expires: true }],
    [
      'a token of an issuer',
      [{ issuer: ['read'] }],
      {
        ways: [{ type: 'bearer' }],
        expires: true,
        client: { issuer: 'https://login.example.com/t', scopes: ['read'] },
      },
    ],
    [
      'one of two',
      [{ bearer: [] }, { app: [] }],
      { ways: [{ type: 'bearer' }, { type: 'api_key', name: 'app', in: 'query' }] },
    ],
    [
      'two keys at once',
      [{ key: [], app: [] }],
      {
        ways: [],
        together: [
          [
            { type: 'api_key', name: 'X-Key', in: 'header' },
            { type: 'api_key', name: 'app', in: 'query' },
          ],
        ],
        others: [],
      },
    ],
    ['a signature of AWS', [{ sigv4: [] }], { ways: [{ type: 'aws' }] }],
    ['a computed header', [{ hmac: [] }], { ways: [], others: ['hmac'] }],
    [
      'a certificate beside a key',
      [{ certificate: [], key: [] }],
      {
        ways: [],
        together: [[{ type: 'mutual_tls' }, { type: 'api_key', name: 'X-Key', in: 'header' }]],
        others: [],
      },
    ],
    ['a key without a name', [{ nameless: [] }], { ways: [] }],
    ['an unknown type', [{ strange: [] }], { ways: [], others: ['x-strange'] }],
  ])('is %s', (_, security, expected) => {
    expect(needs(security)).toEqual([
      {
        operations: 1,
        example: 'GET /p0',
        others: [],
        ...expected,
        ...('others' in expected ? {} : { others: expect.any(Array) }),
      },
    ]);
  });

  test.each<[string, Json]>([
    ['nothing is wanted', []],
    ['it may be left out', [{ bearer: [] }, {}]],
    ['the scheme is not described', [{ unknown: [] }]],
    ['it is not understood', 'bearer'],
  ])('is nothing where %s', (_, security) => {
    expect(needs(security)).toEqual([]);
  });

  test('names the endpoint of tokens by the server of the API, and what tokens have to allow', () => {
    const tokenUrl = 'https://api.example.com/oauth/token';
    expect(needs([{ fleet: [] }])).toMatchObject([
      { client: { tokenUrl, scopes: ['fleet.read', 'fleet.write'] } },
    ]);
    expect(needs([{ fleet: ['fleet.read'] }], [{ fleet: ['fleet.admin'] }])).toMatchObject([
      { operations: 2, client: { tokenUrl, scopes: ['fleet.read', 'fleet.admin'] } },
    ]);
  });

  test.each<[string, Json, readonly object[]]>([
    [
      'an OAuth client before a token that ends',
      [{ fleet: ['fleet.read'] }],
      [
        {
          type: 'oauth_client',
          tokenUrl: 'https://api.example.com/oauth/token',
          scopes: ['fleet.read'],
        },
        { type: 'bearer' },
      ],
    ],
    [
      'a client of an issuer, of which nobody says that it gives tokens so, last',
      [{ issuer: [] }],
      [{ type: 'bearer' }, { type: 'oauth_client', issuer: 'https://login.example.com/t' }],
    ],
    ['a key', [{ app: [] }], [{ type: 'api_key', name: 'app', in: 'query' }]],
    [
      'a cookie last, which browsers get',
      [{ browser: [] }, { key: [] }, { bearer: [] }],
      [
        { type: 'api_key', name: 'X-Key', in: 'header' },
        { type: 'bearer' },
        { type: 'api_key', name: 'sid', in: 'cookie' },
      ],
    ],
    ['nothing for what cannot be sent', [{ hmac: [] }], []],
  ])('proposes %s', (_, security, expected) => {
    expect(needs(security).flatMap(proposedCredentials)).toEqual(expected);
  });

  test('is said once for all that ask for the same, the most first', () => {
    expect(needs([{ key: [] }], [{ bearer: [] }], [{ bearer: [] }])).toMatchObject([
      { operations: 2, example: 'GET /p1', ways: [{ type: 'bearer' }] },
      { operations: 1, example: 'GET /p0' },
    ]);
  });

  test('is read of Swagger 2.0, too', () => {
    const { credentialNeeds } = compiled({
      swagger: '2.0',
      info: { title: 'Old', version: '1' },
      host: 'api.example.com',
      schemes: ['https'],
      securityDefinitions: { login: { type: 'basic' } },
      security: [{ login: [] }],
      paths: { '/p': { get: { responses: { 200: { description: 'ok' } } } } },
    });

    expect(credentialNeeds).toMatchObject([{ operations: 1, ways: [{ type: 'basic' }] }]);
  });

  test('is at most twenty kinds, and its texts are short and plain', () => {
    const components = {
      securitySchemes: Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [
          `k${at}`,
          {
            type: 'apiKey',
            in: 'header',
            name: at === 0 ? `a\u001b[31m${'x'.repeat(90)}` : `X-${at}`,
          },
        ]),
      ),
    };
    const paths = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `/p${at}`,
        { get: anOperation({ security: [{ [`k${at}`]: [] }] }) },
      ]),
    );
    const { credentialNeeds } = compiled(aDescription({ paths, components }));

    expect(credentialNeeds).toHaveLength(20);
    expect(JSON.stringify(credentialNeeds)).not.toMatch(/\\u001b/);
  });
});
