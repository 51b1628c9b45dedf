import { describe, expect, test } from '@jest/globals';
import { measuredIn } from '../../../../layers/platform/rules/metrics/measured.ts';
import { routeKind, ROUTE_KINDS } from '../../../../layers/platform/rules/metrics/route-kind.ts';

describe('the kind of a route', () => {
  test.each([
    ['/v1/mcp-router/{slug}/messages', 'mcp'],
    ['/v1/mcp-router/{slug}', 'mcp'],
    ['/v1/mcp-router/{slug}/tool', 'mcp'],
    ['/v1/mcp-router/{slug}/health', 'mcp-documents'],
    ['/v1/mcp-router/{slug}/.well-known/mcp-server', 'mcp-documents'],
    ['/.well-known/oauth-protected-resource/v1/mcp-router/{slug}', 'mcp-documents'],
    ['/v1/mcp-oauth-server/token', 'tokens'],
    ['/v1/mcp-oauth-server/authorize', 'authorization'],
    ['/v1/mcp-management/accounts/verify', 'accounts'],
    ['/v1/mcp-management/sessions', 'accounts'],
    ['/v1/mcp-management/deployments/{slug}', 'management'],
    ['/v1/mcp-management/account', 'management'],
    [undefined, 'other'],
    ['/somewhere', 'other'],
    ['/', 'console'],
    ['/v1', 'console'],
    ['/v1/console', 'console'],
    ['/v1/console/assets/{file}', 'console'],
    ['/v1/consoles', 'other'],
  ])('of %s is %s', (route, kind) => {
    expect(routeKind(route)).toBe(kind);
  });

  test('is one of a few', () => {
    expect(ROUTE_KINDS.length).toBeLessThanOrEqual(8);
  });
});

describe('what a line measures', () => {
  const request = { message: 'request', route: '/v1/mcp-router/{slug}/messages', duration_ms: 1.5 };

  test.each([
    [200, 0],
    [499, 0],
    [500, 1],
    [503, 1],
  ])('is of a request its latency and whether it failed: %i', (status, Faults) => {
    expect(measuredIn({ ...request, status, outcome: 'ok' })).toEqual([
      { dimensions: { Route: 'mcp' }, values: { Latency: 1.5, Faults } },
    ]);
  });

  test('is nothing for lines of other kinds, whatever they are called', () => {
    expect(measuredIn({ message: 'rotated' })).toEqual([]);
    expect(measuredIn({ message: 'toString' })).toEqual([]);
    expect(measuredIn({ message: 7 })).toEqual([]);
    expect(measuredIn({})).toEqual([]);
  });

  test('has no dimension that would distinguish deployments, users or addresses', () => {
    const told = { slug: 'pets', subject: '192.0.2.1', user: 'u', ip: '192.0.2.1', why: 'x' };
    const lines = [
      { ...request, status: 503, outcome: 'fault', neighbour: 's3', ...told },
      { type: 'security', event: 'account_locked', ...told },
      { type: 'credential_access', outcome: 'ok', duration_ms: 3, ...told },
    ];
    const values = lines.flatMap(measuredIn).flatMap((each) => Object.values(each.dimensions));

    expect(values).toEqual(['mcp', 's3', 'ok']);
  });
});
