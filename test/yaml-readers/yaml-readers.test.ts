import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { randomOf } from '../support/random.ts';
import { mutated } from './mutations.ts';
import { jsYaml4, ours, yaml2 } from './readers.ts';

const FOLDER = new URL('../../layers/servers/gallery/descriptions/', import.meta.url);
const texts = readdirSync(FOLDER).map((name) => readFileSync(new URL(name, FOLDER), 'utf8'));

describe('a description in YAML', () => {
  test('is read as js-yaml 4 and yaml 2 read it', () => {
    for (const text of texts) {
      expect(ours(text)).toBe(jsYaml4(text));
      expect(ours(text)).toBe(yaml2(text));
    }
  });

  test('with a mistake is read as both read it, where they agree', () => {
    const random = randomOf(20_261_123);
    let agreed = 0;
    for (let at = 0; at < 1000; at += 1) {
      const text = mutated(random.pick(texts), random);
      const expected = jsYaml4(text);
      if (expected === undefined || expected !== yaml2(text)) continue;
      agreed += 1;
      if (ours(text) !== expected)
        expect({ text, read: ours(text) }).toEqual({ text, read: expected });
    }

    expect(agreed).toBeGreaterThan(500);
  });

  test('that one of them reads and the other refuses may be refused', () => {
    expect([jsYaml4('a: *b\n'), ours('a: *b\n')]).toEqual([undefined, undefined]);
  });
});
