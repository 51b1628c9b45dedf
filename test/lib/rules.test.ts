import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';

interface Found {
  readonly stages: readonly {
    readonly name: string;
    readonly engine: readonly unknown[];
    readonly packs: readonly string[];
    readonly reasons: readonly string[];
  }[];
  /** What a synthesis is refused with. */
  readonly refusal: string;
}

const found = JSON.parse(
  execFileSync(process.execPath, ['test/support/stacks/rule-findings.ts'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
    encoding: 'utf8',
  }),
) as Found;

describe("the rules of cdk-nag's packs", () => {
  test.each(found.stages)('find in $name just what there is a reason for', (stage) => {
    expect(stage.packs.length).toBeGreaterThan(50);
    expect(stage.packs).toEqual(stage.reasons);
  });

  test('refuse what nobody has given a reason for', () => {
    expect(found.refusal).toContain('AwsSolutions-S10');
    expect(found.refusal).not.toContain('AwsSolutions-IAM5');
  });
});

describe("AWS's own validation engine", () => {
  test.each(found.stages)('finds nothing in $name', ({ engine }) => {
    expect(engine).toEqual([]);
  });

  test('refuses a property that AWS does not know', () => {
    expect(found.refusal).toContain('Treshold');
  });
});
