import { describe, expect, test } from '@jest/globals';
import { portableJson } from '../../../layers/tools/answer/json-text.ts';
import { structuredContent } from '../../../layers/tools/answer/structured-content.ts';
import type { ToolOutput } from '../../../layers/openapi/tool-output.ts';
import { onlyOf } from '../../support/openapi/compile.ts';
import { answering, officialVerdicts } from '../../support/openapi/output-validators.ts';

const outputOf = (schema: Parameters<typeof answering>[0]): ToolOutput => {
  const { output } = onlyOf(answering(schema).tools);
  if (!output) throw new Error('there is no output schema');
  return output;
};

const PET = outputOf({
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
});
const PETS = outputOf({
  type: 'array',
  items: { type: 'object', properties: { name: { type: 'string' } } },
});
const EITHER = outputOf({ oneOf: [{ type: 'object', properties: { a: {} } }, { type: 'string' }] });

/** What a client is sent, which fits in any case. */
const sent = (output: ToolOutput, answer: string): string => {
  const text = structuredContent(output, answer);
  const fits = officialVerdicts(JSON.parse(output.schema));
  expect(fits.map((verdict) => verdict(JSON.parse(text)))).toEqual([true, true]);
  return text;
};

const OTHER_FORM = 'The answer does not have the described form, so it is given here as it came.';

describe('a whole answer', () => {
  test.each([
    ['of the described form', PET, '{"name":"Rex","age":3}'],
    ['without what is required', PET, '{}'],
    ['with null in the place of a value', PET, '{"name":null}'],
    ['with members that nobody described', PET, '{"name":"Rex","_links":{"self":[]}}'],
    ['that may be of several forms', EITHER, '{"a":[1]}'],
  ])('is the structured content itself: one %s', (_, output, answer) => {
    expect(sent(output, answer)).toBe(answer);
  });

  test.each([
    ['a list', PETS, '[{"name":"Rex"},{}]'],
    ['an empty list', PETS, '[]'],
    ['null', PETS, 'null'],
    ['a text, beside objects', EITHER, '"done"'],
  ])('that is no object stands under result: %s', (_, output, answer) => {
    expect(sent(output, answer)).toBe(`{"result":${answer}}`);
  });

  test.each([
    ['another type of a member', PET, '{"name":"Rex","age":"three"}'],
    ['a fraction for a whole number', PET, '{"age":3.5}'],
    ['a list for an object', PET, '[{"name":"Rex"}]'],
    ['null for an object', PET, 'null'],
    ['an object for a list', PETS, '{"message":"nothing found"}'],
    ['another type inside a list', PETS, '[{"name":"Rex"},{"name":1}]'],
    ['another type beside objects', EITHER, '7'],
    ['a member that would be taken for ours', PET, '{"_note":"from the API"}'],
    ['a member that would be taken for a wrapped answer', EITHER, '{"result":"x"}'],
  ])('of another form stands beside a note, unchanged: %s', (_, output, answer) => {
    expect(sent(output, answer)).toBe(
      `{"_note":${JSON.stringify(OTHER_FORM)},"_answer":${answer}}`,
    );
  });

  test('keeps each digit of its numbers, and every member, also one that occurs twice', () => {
    const numbers = '{"id":12345678901234567890,"rate":0.10,"big":1E+2,"id":-0.0,"name":"a"}';
    expect(sent(PET, numbers)).toBe(numbers);
    expect(sent(PETS, '[{"id":9007199254740993}]')).toBe('{"result":[{"id":9007199254740993}]}');
  });

  test('is on one line, with the blanks inside its texts', () => {
    const answer = '\r\n{\n\t"name" : "a  \\"b\\\\" ,\n "list": [ 1 , {} ] }\n';
    expect(sent(PET, answer)).toBe('{"name":"a  \\"b\\\\","list":[1,{}]}');
  });

  test.each(['', ' ', '<html></html>', '{"a":1}\n{"a":2}', '{"a":', 'NaN', "{'a':1}", '{"a":01}'])(
    'that is no JSON stands beside a note, as text: %j',
    (answer) => {
      expect(JSON.parse(sent(PET, answer))).toEqual({
        _note: 'The answer is no JSON, so it is given here as text.',
        _answer: answer,
      });
    },
  );

  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  test.each([
    ['levels', `{"a":${deep(100)}}`, 'nests deeper than 100 levels'],
    ['half a character', '{"a":"\\ud83d"}', 'has text that is no Unicode'],
    ['the other half, as a name', '{"\\uDE00":1}', 'has text that is no Unicode'],
    ['a number without end', '{"a":[-1e400]}', 'has a number that is too large'],
  ])('that strict clients could not read stands beside a note, as text: %s', (_, answer, why) => {
    const { _note, _answer, ...others } = JSON.parse(sent(PET, answer));
    expect(_note).toContain(why);
    expect(_answer).toBe(answer);
    expect(others).toEqual({});
  });

  test('may nest up to 100 levels and have any character', () => {
    for (const answer of [`{"a":${deep(99)}}`, '{"a":"\\ud83d\\ude00 \\\\ud83d"}', '{"a":1e308}']) {
      expect(sent(PET, answer)).toBe(answer);
    }
  });
});

describe('JSON within JSON', () => {
  test('means what it meant, without blanks', () => {
    for (const json of [
      '[]',
      ' [ ] ',
      '"a b"',
      '{"\\\\":" \\" "}',
      '[1 ,-2e5, true ,null]',
      ' 1 ',
    ]) {
      const portable = portableJson(json);
      const text = 'text' in portable ? portable.text : '';
      expect(JSON.parse(text)).toEqual(JSON.parse(json));
      expect(text).toBe(JSON.stringify(JSON.parse(json)).replace('-200000', '-2e5'));
    }
  });
});
