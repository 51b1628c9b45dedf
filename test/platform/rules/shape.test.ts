import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import {
  described,
  exactly,
  sentOf,
  shownOf,
  storedOf,
  toWire,
} from '../../../layers/platform/rules/shape.ts';

const Part = z.object({ readOnlyHint: z.exactOptional(z.boolean()) });
const Thing = z.object({
  baseUrl: z.string().check(z.maxLength(5)),
  partHints: z.exactOptional(z.nullable(Part)),
  byName: z._default(z.record(z.string().check(z.maxLength(9)), Part), {}),
  howSent: z.exactOptional(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('key'), keyName: z.string() }),
      z.object({ kind: z.literal('none') }),
    ]),
  ),
  places: z._default(z.array(z.string()).check(z.minLength(1), z.maxLength(1)), ['a']),
});

describe('an entity with one schema', () => {
  test('is sent and shown with names in snake_case, and keys of records as they are', () => {
    const sent = {
      base_url: 'abc',
      part_hints: { read_only_hint: true },
      by_name: { camelCase: { read_only_hint: false } },
      how_sent: { kind: 'key', key_name: 'X' },
      places: ['b'],
    };

    const value = sentOf(Thing).parse(sent);

    expect(value).toEqual({
      baseUrl: 'abc',
      partHints: { readOnlyHint: true },
      byName: { camelCase: { readOnlyHint: false } },
      howSent: { kind: 'key', keyName: 'X' },
      places: ['b'],
    });
    expect(toWire(Thing, value)).toEqual(sent);
    expect(shownOf(Thing).parse(sent)).toEqual(sent);
  });

  test.each([
    ['a member that is not known', { base_url: 'abc', other: 1 }],
    ['such a member deeper', { base_url: 'abc', part_hints: { other: true } }],
    ['a name of the code', { baseUrl: 'abc' }],
    ['a text beyond its limit', { base_url: 'abcdef' }],
    ['a key beyond its limit', { base_url: 'abc', by_name: { tencharsxx: {} } }],
  ])('is refused when sent with %s', (_, sent) => {
    expect(sentOf(Thing).safeParse(sent).success).toBe(false);
  });

  test('is read from storage whatever is the limit of its texts and lists today', () => {
    const stored = { baseUrl: 'abcdefghi', places: ['a', 'b'], byName: { tencharsxx: {} } };

    expect(storedOf(Thing).parse({ ...stored, other: 1 })).toEqual(stored);
  });

  test('is read from storage with what holds where a member is absent, but not with an empty list', () => {
    expect(storedOf(Thing).parse({ baseUrl: 'a' })).toMatchObject({ byName: {}, places: ['a'] });
    expect(storedOf(Thing).safeParse({ baseUrl: 'a', places: [] }).success).toBe(false);
  });

  test('describes to people what is sent, and to programs what is shown', () => {
    const Described = z.object({ aName: described(z.string().check(z.maxLength(2)), 'A name.') });

    const { properties: sent } = z.toJSONSchema(sentOf(Described), { io: 'input' });
    const { properties: shown } = z.toJSONSchema(shownOf(Described));

    expect(sent).toEqual({ a_name: { type: 'string', maxLength: 2, description: 'A name.' } });
    expect(shown).toEqual({ a_name: { type: 'string' } });
  });

  test('is exactly a type only if neither knows more than the other', () => {
    const schema = z.object({ type: z.enum(['bearer']) });

    exactly<{ readonly type: 'bearer' }>()(schema);
    // @ts-expect-error the type knows a kind that the schema does not
    exactly<{ readonly type: 'bearer' | 'basic' }>()(schema);
    // @ts-expect-error the schema knows a kind that the type does not
    exactly<{ readonly type: never }>()(schema);
    // @ts-expect-error the type knows a member that the schema does not
    exactly<{ readonly type: 'bearer'; readonly name?: string }>()(schema);
    expect(schema.parse({ type: 'bearer' })).toEqual({ type: 'bearer' });
  });
});
