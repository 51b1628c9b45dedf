import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

const asking = (parameter: Json, path = '/h', members: Readonly<Record<string, Json>> = {}) =>
  compiled(
    aDescription({
      paths: { [path]: { get: anOperation({ parameters: [parameter] }) } },
      ...members,
    }),
  );

const schema = { type: 'string' };

test('a header whose only value is known is no key', () => {
  const known = { name: 'X-Atlassian-Token', in: 'header', required: true };
  const { warnings } = asking({ ...known, schema: { ...schema, enum: ['no-check'] } });

  expect(warnings).toEqual([]);
});

describe('a key that is declared as a parameter', () => {
  test.each([
    ['header', 'X-API-Key'],
    ['header', 'Authorization'],
    ['header', 'Ocp-Apim-Subscription-Key'],
    ['query', 'api_key'],
    ['query', 'token'],
    ['query', 'access_token'],
    ['cookie', 'session'],
    ['header', 'x-hasura-admin-secret'],
    ['header', 'X-RapidAPI-Key'],
    ['header', 'DD-APPLICATION-KEY'],
    ['header', 'X-Vault-Token'],
    ['header', 'Bearer'],
    ['header', 'Authentication'],
    ['query', 'jwt'],
  ])('is warned of and offered as a credential: in %s %s', (place, name) => {
    const { warnings, credentialNeeds } = asking({ name, in: place, required: true, schema });

    expect(warnings).toEqual([
      expect.objectContaining({
        what: expect.stringContaining(`${name} (${place}) looks like a key of the API`),
        hint: expect.stringContaining('credential set'),
      }),
    ]);
    expect(credentialNeeds).toMatchObject([
      { operations: 1, ways: [{ type: 'api_key', name, in: place }] },
    ]);
  });

  test('is told once for all operations, and by Swagger 2.0 too', () => {
    const parameters = [{ name: 'api_key', in: 'query', type: 'string' }];
    const { warnings } = compiled({
      swagger: '2.0',
      info: { title: 'Pets', version: '1' },
      host: 'api.example.com',
      paths: {
        '/a': { parameters, get: anOperation() },
        '/b': { get: anOperation({ parameters }) },
      },
    });

    expect(warnings.map(({ what }) => what)).toEqual([
      expect.stringContaining('2 operations declare it'),
    ]);
  });

  test.each([
    ['a page', 'query', 'page_token', '/h'],
    ['a page of its own header', 'header', 'X-Next-Page-Token', '/h'],
    ['what a form proves', 'header', 'X-CSRF-Token', '/h'],
    ['what makes a call once', 'header', 'Idempotency-Key', '/h'],
    ['a name of its own', 'query', 'key', '/h'],
    ['what the operation is about', 'query', 'token', '/verify-email'],
    ['a part of the path', 'path', 'token', '/things/{token}'],
  ])('is not seen in %s', (_, place, name, path) => {
    const { warnings, credentialNeeds } = asking({ name, in: place, required: true, schema }, path);

    expect({ warnings, credentialNeeds }).toEqual({ warnings: [], credentialNeeds: [] });
  });

  test('is not told where a security scheme has it', () => {
    const members = {
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
      security: [{ key: [] }],
    };

    expect(asking({ name: 'X-API-Key', in: 'header', schema }, '/h', members).warnings).toEqual([]);
  });
});
