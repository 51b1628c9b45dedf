import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from './documents.ts';

/** A row of the tables of rules in `docs/protocol.md`. */
interface Rule {
  readonly rule: string;
  readonly tests: string;
}

interface Proof {
  /** From the repository's root. */
  readonly file: string;
  readonly title: string;
}

const HEADING = '\n## What proves each rule\n';

const rulesIn = (markdown: string): readonly Rule[] => {
  const [section = ''] = (markdown.split(HEADING)[1] ?? '').split(/^## /m);
  return [...section.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
    .map(([, rule = '', tests = '']) => ({ rule, tests }))
    .filter(({ rule }) => rule !== 'Rule');
};

/** `[modern](../test/modern.test.ts) "one title", "another"; [next](...) "a third"` */
const PROOFS = /^\[[^\]]+\]\(\.\.\/(test\/[\w./-]+\.test\.ts)\) ("[^"]+"(?:, "[^"]+")*)$/;

/** Nothing if a part of the cell does not have this form. */
const proofsIn = ({ tests }: Rule): readonly Proof[] => {
  const parts = tests.split(/(?<="); /).map((part) => PROOFS.exec(part));
  if (parts.includes(null)) return [];
  return parts.flatMap((part) => {
    const [, file = '', titles = ''] = part ?? [];
    return [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title }));
  });
};

const rules = rulesIn(await readFile(join(ROOT, 'docs/protocol.md'), 'utf8'));

describe('each rule of the protocol', () => {
  test('names the tests that prove it', () => {
    expect(rules.length).toBeGreaterThan(50);
    expect(rules.filter((one) => proofsIn(one).length === 0)).toEqual([]);
  });

  test('is proven by tests whose files have those titles', async () => {
    const proofs = rules.flatMap(proofsIn);
    const missing: string[] = [];
    for (const { file, title } of proofs) {
      const text = await readFile(join(ROOT, file), 'utf8').catch(() => '');
      if (!["'", '"', '`'].some((quote) => text.includes(quote + title + quote))) {
        missing.push(`${file}: ${title}`);
      }
    }

    expect(missing).toEqual([]);
    expect(proofs.length).toBeGreaterThan(80);
  });

  test.each([
    '[modern](../test/x.test.ts)',
    '[modern](../test/x.test.ts) "a title" and more',
    'test/x.test.ts "a title"',
    '[modern](../test/x.test.ts) "a title"; soon',
    'being built',
  ])('is not proven by %j', (tests) => {
    expect(proofsIn({ rule: 'a rule', tests })).toEqual([]);
  });
});
