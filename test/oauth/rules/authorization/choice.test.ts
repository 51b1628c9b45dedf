import { describe, expect, test } from '@jest/globals';
import { readChoice } from '../../../../layers/oauth/rules/authorization/choice.ts';

const BASE = 'https://mcp.example.com/v1';

describe('choosing an MCP server on the authorization page', () => {
  test.each([
    ['a server of the list', 'pets', '', { slug: 'pets' }],
    ['the slug of a server', '', ' Weather ', { slug: 'weather' }],
    ['the URL of a server', '', `${BASE}/mcp-router/weather/messages`, { slug: 'weather' }],
    ['the same server in the list and by URL', 'pets', `${BASE}/mcp-router/pets`, { slug: 'pets' }],
    ['no server', '', '  ', { fault: 'nothing_chosen' }],
    ['two different servers', 'pets', 'weather', { fault: 'two_chosen' }],
    [
      'the URL of another service',
      '',
      'https://evil.example/v1/mcp-router/pets',
      { slug: 'https://evil.example/v1/mcp-router/pets' },
    ],
  ])('reads the choice of %s', (_, listed, typed, choice) => {
    expect(readChoice(BASE, listed, typed)).toEqual(choice);
  });
});
