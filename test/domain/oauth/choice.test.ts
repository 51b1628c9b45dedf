import { describe, expect, test } from '@jest/globals';
import { readChoice } from '../../../layers/core/domain/oauth/index.ts';

const BASE = 'https://mcp.example.com/v1';

describe('D12 choosing a server', () => {
  test.each([
    ['from the list', 'pets', '', { slug: 'pets' }],
    ['by its name', '', ' Weather ', { slug: 'weather' }],
    ['by its address', '', `${BASE}/mcp-router/weather/messages`, { slug: 'weather' }],
    ['the same one twice', 'pets', `${BASE}/mcp-router/pets`, { slug: 'pets' }],
    ['none', '', '  ', { fault: 'nothing_chosen' }],
    ['two', 'pets', 'weather', { fault: 'two_chosen' }],
    [
      'a stranger',
      '',
      'https://evil.example/v1/mcp-router/pets',
      { slug: 'https://evil.example/v1/mcp-router/pets' },
    ],
  ])('%s', (_, listed, typed, choice) => {
    expect(readChoice(BASE, listed, typed)).toEqual(choice);
  });
});
