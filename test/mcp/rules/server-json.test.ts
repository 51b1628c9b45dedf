import { describe, expect, test } from '@jest/globals';
import { REGISTRY_NAME, serverJson } from '../../../layers/mcp/rules/server-json.ts';
import { aDeployment } from '../../support/aws/dynamodb-fixtures.ts';

const BASE_URL = 'https://mcp.example.com/v1';
const weather = { slug: 'weather', name: 'Weather', toolCount: 2, version: 7 };

describe('the server.json of a deployment', () => {
  test('says who it is and where, and nothing of its tools', () => {
    expect(serverJson(BASE_URL, aDeployment({ ...weather, authMethod: 'oauth' }))).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'com.example.mcp/weather',
      title: 'Weather',
      description: 'Weather: 2 tools',
      version: '0.1.7',
      websiteUrl: 'https://mcp.example.com/v1/mcp-router/weather/docs',
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://mcp.example.com/v1/mcp-router/weather/messages',
        },
      ],
    });
  });

  test('says what the owner says of it, and never what the description of the API says', () => {
    const apiTexts = { instructions: 'Secret plans', description: 'Secret plans' };
    const said = { description: `Rain. ${'x'.repeat(100)}`, websiteUrl: 'https://rain.example/' };

    expect(serverJson(BASE_URL, aDeployment({ ...weather, ...said, apiTexts }))).toMatchObject({
      description: `Rain. ${'x'.repeat(93)}…`,
      websiteUrl: 'https://rain.example/',
    });
    expect(serverJson(BASE_URL, aDeployment({ ...weather, apiTexts }))).toMatchObject({
      description: 'Weather: 2 tools',
      websiteUrl: 'https://mcp.example.com/v1/mcp-router/weather/docs',
    });
  });

  test('asks for a token where the owner hands it out', () => {
    const [remote] = serverJson(BASE_URL, aDeployment({ authMethod: 'jwt' })).remotes;

    expect(remote?.headers).toEqual([
      {
        name: 'Authorization',
        description: 'A token that the owner of this server has given you.',
        isRequired: true,
        isSecret: true,
        value: 'Bearer {token}',
        variables: { token: { description: 'The token', isRequired: true, isSecret: true } },
      },
    ]);
  });

  test.each([
    [BASE_URL, 'com.example.mcp/weather'],
    ['http://localhost:8787/v1', 'localhost/weather'],
    ['http://127.0.0.1:8787/v1', '127.0.0.1/weather'],
    ['http://[::1]:8787/v1', '--1/weather'],
  ])('of a service at %s is called %s', (baseUrl, name) => {
    expect(serverJson(baseUrl, aDeployment(weather)).name).toBe(name);
    expect(name).toMatch(REGISTRY_NAME);
  });

  test('has the name that its owner gives it', () => {
    const { name } = serverJson(BASE_URL, aDeployment(weather), 'io.github.ada/weather');
    expect(name).toBe('io.github.ada/weather');
  });

  test.each([
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), `${'x'.repeat(99)}…`],
    ['😀'.repeat(101), `${'😀'.repeat(99)}…`],
  ])('cuts texts to what a registry takes', (name, title) => {
    const document = serverJson(BASE_URL, aDeployment({ ...weather, name }));

    expect(document.title).toBe(title);
    expect([...document.description].length).toBeLessThanOrEqual(100);
  });

  test.each(['', 'weather', 'a/', '/a', 'a/b/c', 'a b/c', `${'a'.repeat(200)}/b`, 'ä/b'])(
    'is never called %j',
    (name) => {
      expect(name).not.toMatch(REGISTRY_NAME);
    },
  );
});
