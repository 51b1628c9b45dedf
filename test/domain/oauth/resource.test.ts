import { describe, expect, test } from '@jest/globals';
import {
  checkResource,
  readResource,
  slugOfResource,
} from '../../../layers/core/domain/oauth/resource.ts';

const BASE = 'https://mcp.example.com/v1';

describe('a resource (D12)', () => {
  test.each([
    `${BASE}/mcp-router/weather`,
    `${BASE}/mcp-router/weather/`,
    `${BASE}/mcp-router/weather/messages`,
    'https://MCP.example.com/v1/mcp-router/weather',
    'https://mcp.example.com:443/v1/mcp-router/weather/messages',
  ])('%s is the deployment', (resource) => {
    expect(slugOfResource(BASE, resource)).toBe('weather');
    expect(() => checkResource(BASE, resource, 'weather')).not.toThrow();
  });

  test.each([
    `${BASE}/mcp-router/weather/other`,
    `${BASE}/mcp-router/weather//`,
    `${BASE}/mcp-router/weather/messages/x`,
    `${BASE}/mcp-router/weather?x=1`,
    `${BASE}/mcp-router/weather#`,
    `${BASE}/mcp-router/`,
    `${BASE}/mcp-router`,
    `${BASE}/mcp-oauth-server`,
    'https://mcp.example.com/mcp-router/weather',
    'http://mcp.example.com/v1/mcp-router/weather',
    'https://mcp.example.com:8443/v1/mcp-router/weather',
    'https://user@mcp.example.com/v1/mcp-router/weather',
    'https://evil.com/v1/mcp-router/weather',
    'https://mcp.example.com.evil.com/v1/mcp-router/weather',
    '/v1/mcp-router/weather',
    'weather',
    '\0',
  ])('%s is none (K4)', (resource) => {
    expect(slugOfResource(BASE, resource)).toBeUndefined();
    expect(() => checkResource(BASE, resource, 'weather')).toThrow(
      expect.objectContaining({ code: 'invalid_target' }),
    );
  });

  test.each([`${BASE}/mcp-router/news`, `${BASE}/mcp-router/Weather`])(
    '%s is another deployment (K4)',
    (resource) => {
      expect(() => checkResource(BASE, resource, 'weather')).toThrow(
        expect.objectContaining({ code: 'invalid_target' }),
      );
    },
  );

  test('need not be named', () => {
    expect(readResource(new Map())).toBeUndefined();
    expect(readResource(new Map([['resource', ['', null]]]))).toBeUndefined();
    expect(() => checkResource(BASE, undefined, 'weather')).not.toThrow();
  });

  test.each([
    ['two', ['a', 'b']],
    ['the same twice', ['a', 'a']],
    ['a list', [['a', 'b']]],
    ['a number', [1]],
  ])('is refused if there are %s (D34)', (_, sent) => {
    expect(() => readResource(new Map([['resource', sent]]))).toThrow(
      expect.objectContaining({ code: 'invalid_target' }),
    );
  });
});
