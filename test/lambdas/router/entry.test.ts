import { describe, expect, test } from '@jest/globals';
import { handler, start } from '../../../lambdas/router/index.ts';
import { at, get } from '../../support/router-events.ts';

describe('the entry of the router function', () => {
  test('does not start in an environment that lacks something, and says what', () => {
    expect(() => start({ BASE_URL: 'https://mcp.example.com/v1' })).toThrow(
      /DEPLOYMENTS_TABLE is missing/,
    );
  });

  test('reads its environment when the first request comes, not when it is loaded', () => {
    expect(() => handler(get(at('pets')))).toThrow(/BASE_URL is missing/);
  });
});
