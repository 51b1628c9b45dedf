import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { readAs } from '../../../layers/platform/http/api-body.ts';
import { ApiRefusal } from '../../../layers/platform/rules/refusal/api-refusal.ts';

const hintOf = (schema: z.ZodMiniType, sent: unknown): string | undefined => {
  try {
    readAs(z.object({ field: schema }), { field: sent });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return error.findings[0]?.hint;
  }
};

describe('a field that is missing or wrong', () => {
  test.each([
    ['a long text', z.string().check(z.maxLength(100)), 'x'.repeat(101), 'at most 100 characters'],
    ['an empty text', z.string().check(z.minLength(1)), '', 'at least 1 character.'],
    ['many entries', z.array(z.string()).check(z.maxLength(2)), ['', '', ''], 'at most 2 entries'],
    ['a large number', z.number().check(z.lte(30)), 99, 'at most 30.'],
    ['a small number', z.int().check(z.gte(1)), 0, 'at least 1.'],
    ['no text', z.string(), 7, 'Give a text.'],
    ['no list', z.array(z.string()), 'a', 'Give a list.'],
    ['nothing', z.boolean(), undefined, 'Give true or false.'],
  ])('is refused in plain words: %s', (_, schema, sent, words) => {
    expect(hintOf(schema, sent)).toContain(words);
  });

  test('has the words of its schema, if that has some', () => {
    const schema = z.string().check(z.maxLength(1, 'One letter.'));

    expect(hintOf(schema, 'xx')).toBe('One letter.');
  });
});
