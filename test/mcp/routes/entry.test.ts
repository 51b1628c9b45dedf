import { describe, expect, test } from '@jest/globals';
import { handler, start } from '../../../lambdas/router/index.ts';
import { at, get } from '../../support/mcp/router-events.ts';

describe('the entry point of the router function', () => {
  test('refuses to start without an environment variable and names it', () => {
    expect(() => start({ BASE_URL: 'https://mcp.example.com/v1' })).toThrow(
      /DEPLOYMENTS_TABLE is missing/,
    );
  });

  test('reads its environment with the first request and not at import', () => {
    expect(() => handler(get(at('pets')))).toThrow(/BASE_URL is missing/);
  });
});
