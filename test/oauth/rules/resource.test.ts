import { describe, expect, test } from '@jest/globals';
import {
  checkResource,
  readResource,
  slugOfResource,
} from '../../../layers/oauth/rules/parameters.ts';

const BASE = 'https://mcp.example.com/v1';

describe('the resource parameter', () => {
  test.each([
    `${BASE}/mcp-router/weather`,
    `${BASE}/mcp-router/weather/`,
    `${BASE}/mcp-router/weather/messages`,
    `${BASE}/mcp-router/weather/messages/`,
    'https://MCP.example.com/v1/mcp-router/weather',
    'https://mcp.example.com:443/v1/mcp-router/weather/messages',
    `${BASE}/mcp-router/weather?x=1`,
    `${BASE}/mcp-router/weather/?`,
    `${BASE}/mcp-router/weather/messages?key=a/b&other=https://evil.com/`,
    `${BASE}/mcp-router/weather/messages/?x`,
  ])('names a deployment with %s', (resource) => {
    expect(slugOfResource(BASE, resource)).toBe('weather');
    expect(() => checkResource(BASE, resource, 'weather')).not.toThrow();
  });

  test.each([
    `${BASE}/mcp-router/weather/other`,
    `${BASE}/mcp-router/weather//`,
    `${BASE}/mcp-router/weather/messages//`,
    `${BASE}/mcp-router/weather/messages/x`,
    `${BASE}/mcp-router/weather/other?x=1`,
    `${BASE}/mcp-router/?weather`,
    `${BASE}/mcp-router/weather#`,
    `${BASE}/mcp-router/weather?x=1#y`,
    `https://evil.com/?${BASE}/mcp-router/weather`,
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
  ])('names no deployment with %s', (resource) => {
    expect(slugOfResource(BASE, resource)).toBeUndefined();
    expect(() => checkResource(BASE, resource, 'weather')).toThrow(
      expect.objectContaining({ code: 'invalid_target' }),
    );
  });

  test.each([`${BASE}/mcp-router/news`, `${BASE}/mcp-router/Weather`])(
    'is refused with %s at another deployment',
    (resource) => {
      expect(() => checkResource(BASE, resource, 'weather')).toThrow(
        expect.objectContaining({ code: 'invalid_target' }),
      );
    },
  );

  test('may be left out', () => {
    expect(readResource(new Map())).toBeUndefined();
    expect(readResource(new Map([['resource', ['', null]]]))).toBeUndefined();
    expect(() => checkResource(BASE, undefined, 'weather')).not.toThrow();
  });

  test.each([
    ['two values', ['a', 'b']],
    ['the same value twice', ['a', 'a']],
    ['a list', [['a', 'b']]],
    ['a number', [1]],
  ])('is refused where it holds %s', (_, sent) => {
    expect(() => readResource(new Map([['resource', sent]]))).toThrow(
      expect.objectContaining({ code: 'invalid_target' }),
    );
  });
});
