import { describe, expect, test } from '@jest/globals';
import { applyOverrides } from '../../../layers/deployments/rules/apply-overrides.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { compiled } from '../../support/openapi/compile.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const { tools } = compiled(
  aDescription({
    paths: Object.fromEntries(
      NAMES.map((name) => [`/${name}`, { get: anOperation({ operationId: name }) }]),
    ),
  }),
);
const loading = (names: readonly string[]) =>
  applyOverrides(tools, Object.fromEntries(names.map((name) => [name, { alwaysLoad: true }])));

describe('tools that are there from the start', () => {
  test('say so to clients that defer tools, and the others do not', () => {
    const listed = loading(['a', 'b', 'c']).tools.map((one) => one.listed);
    expect(listed.map(({ _meta }) => _meta)).toEqual([
      ...[1, 2, 3].map(() => ({ 'anthropic/alwaysLoad': true })),
      undefined,
    ]);
  });

  test('are three at most: any more is named', () => {
    expect(() => loading(NAMES)).toThrow(
      expect.objectContaining({
        findings: [expect.objectContaining({ where: '/overrides/d/always_load' })],
      }),
    );
  });

  test('are those that are shown: a hidden one does not count', () => {
    const overrides = Object.fromEntries(NAMES.map((name) => [name, { alwaysLoad: true }]));
    expect(
      applyOverrides(tools, { ...overrides, a: { alwaysLoad: true, hidden: true } }).tools,
    ).toHaveLength(3);
  });
});
