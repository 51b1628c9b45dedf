import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import { estimateTokens, toolTokens } from '../../../layers/openapi/model-apis/token-estimate.ts';
import {
  FIXTURE_DESCRIPTIONS,
  fixtureDescriptions,
} from '../../support/openapi/fixture-descriptions.ts';
import { readText } from '../../support/openapi/intake.ts';

const counted = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

describe('the token estimate', () => {
  test.each([
    ['', 0],
    ['word', 1],
    ['camelCase', 2],
    ['HTTP', 1],
    ['two words', 2],
    ['1234567', 5],
    ['{"a":1}', 5],
    ['日本', 2],
    ['{\n  "a": 1\n}', 7],
    ['[\n\t\t"a"\n]', 6],
  ])('of the text %j is %d', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  test.each(['ACGT', 'acdefghiklmnpqrstvwy'])(
    'of a long sequence of %s grows with it',
    (letters) => {
      const random = fc.string({
        unit: fc.constantFrom(...letters),
        minLength: 1000,
        maxLength: 1000,
      });
      const [sequence = ''] = fc.sample(random, { numRuns: 1, seed: 7 });

      const ratio = estimateTokens(sequence) / counted(sequence);

      expect(Math.abs(ratio - 1)).toBeLessThan(0.2);
    },
  );

  test('counts what a model sees of a tool, without the annotations', () => {
    const tool = { name: 'a', description: 'A.', inputSchema: { type: 'object' } };
    const listed = { ...tool, annotations: { title: 'A long title' } };

    expect(toolTokens(listed)).toBe(toolTokens(tool));
  });
});

const SERVER_BASE = { apiBaseUrl: 'https://api.example.com' };
const FOLDER = new URL('../../../../shared/openapi/', import.meta.url);
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter((name) => /\.(json|ya?ml)$/.test(name))
  : [];

if (files.length === 0) {
  test.skip('real descriptions: the folder shared/openapi is not here', () => {});
}

describe.each([
  ...fixtureDescriptions.map((name) => [name, FIXTURE_DESCRIPTIONS] as const),
  ...files.map((name) => [name, FOLDER] as const),
])('the token estimate for the tools of %s', (name, folder) => {
  const description = readText(readFileSync(new URL(name, folder)));
  const compiled = compileTools(description, description.operations, {
    serverBase: SERVER_BASE,
  });
  const tools = compiled.tools.map(({ listed: tool }) => {
    const { name: itsName, description: words, inputSchema } = tool;
    return {
      name: itsName,
      estimate: toolTokens(tool),
      real: counted(JSON.stringify({ name: itsName, description: words, inputSchema })),
    };
  });

  test('is within 20 percent of the tokenizer for each tool', () => {
    const wrong = tools.filter(({ estimate, real }) => Math.abs(estimate / real - 1) > 0.2);

    expect(wrong).toEqual([]);
  });

  test('is within 10 percent of the tokenizer for all tools together', () => {
    const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
    const ratio = sum(tools.map(({ estimate }) => estimate)) / sum(tools.map(({ real }) => real));

    expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
  });
});

/** Answers of APIs are as often indented as not. */
describe.each(fixtureDescriptions)('the token estimate for %s, taken for an answer,', (name) => {
  const { root } = readText(readFileSync(new URL(name, FIXTURE_DESCRIPTIONS)));

  test.each([undefined, 1, 2, 4, '\t'])(
    'is within 10 percent of the tokenizer for JSON that is indented by %j',
    (indent) => {
      const text = JSON.stringify(root, null, indent).slice(0, 200_000);

      expect(Math.abs(estimateTokens(text) / counted(text) - 1)).toBeLessThan(0.1);
    },
  );
});
