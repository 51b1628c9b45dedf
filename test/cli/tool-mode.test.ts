import { describe, expect, test } from '@jest/globals';
import { deploymentLines } from '../../cli/commands/deployments.ts';
import { differenceLines } from '../../cli/text/difference.ts';

const NONE = { added: [], removed: [], changed: [], breaking: false };

describe('the command line describes a deployment', () => {
  test.each([
    ['how many tools it has', { tool_count: 7, tool_mode: 'operations' }, /^Tools +7$/m],
    [
      'in search mode how many operations are behind its three tools',
      { tool_count: 1000, tool_mode: 'search' },
      /^Tools +3, which search 1000 operations$/m,
    ],
  ] as const)('%s', (_, deployment, line) => {
    expect(deploymentLines(deployment).join('\n')).toMatch(line);
  });
});

describe('the command line reports a change', () => {
  test('that the mode is another, and that calls may fail', () => {
    const mode = { before: 'operations', after: 'search' };
    const lines = differenceLines({
      slug: 'a',
      version: 2,
      tools: { ...NONE, breaking: true, mode },
    });

    expect(lines).toEqual([
      'a is at version 2. The tools stay as they are.',
      'The tool mode was operations and is search.',
      'Calls that worked before may fail now.',
    ]);
  });

  test('nothing of the mode where it stays', () => {
    expect(differenceLines({ slug: 'a', version: 2, tools: NONE })).toHaveLength(1);
  });
});
