import { describe, expect, test } from '@jest/globals';
import {
  MAX_NESTING,
  MAX_RENDERED_CHARACTERS,
  parseTemplate,
  renderTemplate,
  unknownArguments,
} from '../../../layers/core/domain/prompts/index.ts';

const render = (template: string, args: Record<string, string> = {}) =>
  renderTemplate(parseTemplate(template), args);

const nested = (depth: number) => '{{#if a}}'.repeat(depth) + 'x' + '{{/if}}'.repeat(depth);

describe('rendering a template', () => {
  test.each([
    ['text stays as it is', 'Hi,\r\n\t{you} and }} and \\n', 'Hi,\r\n\t{you} and }} and \\n'],
    ['nothing is nothing', '', ''],
    ['a place holds the value', 'Hi {{name}}!', 'Hi Ada!'],
    ['space in a tag is free', 'Hi {{\n name\t}}!', 'Hi Ada!'],
    ['an argument that is missing is empty', '[{{other}}]', '[]'],
    ['names may have dashes, dots and letters of any script', '{{größe-1.a}}', 'XL'],
    ['an argument may be called like a keyword', '{{if}}{{eq}}', '12'],

    ['a condition holds for a value', '{{#if name}}yes{{/if}}', 'yes'],
    ['a condition fails without a value', '{{#if other}}yes{{/if}}', ''],
    ['a condition fails for an empty value', '{{#if empty}}yes{{else}}no{{/if}}', 'no'],
    ['space and "false" and 0 are values', '{{#if space}}1{{/if}}{{#if false}}2{{/if}}', '12'],
    ['else is left out where the condition holds', '{{#if name}}yes{{else}}no{{/if}}', 'yes'],
    ['space in conditions is free', '{{ # if  name }}yes{{ else }}no{{ / if }}', 'yes'],
    [
      'conditions stand within conditions',
      '{{#if name}}{{#if other}}a{{else}}b{{/if}}c{{/if}}',
      'bc',
    ],
    ['an else belongs to the innermost', '{{#if other}}{{#if name}}a{{/if}}{{else}}b{{/if}}', 'b'],
    ['conditions nest 32 deep', nested(MAX_NESTING), 'x'],

    ['a comparison holds for the very text', "{{#if name eq 'Ada'}}yes{{/if}}", 'yes'],
    ['a comparison heeds case', "{{#if name eq 'ada'}}yes{{else}}no{{/if}}", 'no'],
    ['a comparison takes double quotes', '{{#if name eq "Ada"}}yes{{/if}}', 'yes'],
    ['a missing argument equals the empty text', "{{#if other eq ''}}yes{{/if}}", 'yes'],
    ['an argument named eq can be compared', "{{#if eq eq '2'}}yes{{/if}}", 'yes'],
    ['a condition may use filters', '{{#if space | trim}}a{{else}}b{{/if}}', 'b'],
    ['a comparison may use filters', "{{#if name | lowercase eq 'ada'}}yes{{/if}}", 'yes'],

    ['uppercase', '{{name | uppercase}}', 'ADA'],
    ['lowercase', '{{name|lowercase}}', 'ada'],
    ['trim', '[{{space | trim}}]', '[]'],
    ['capitalize changes the first letter only', '{{words | capitalize}}', 'Élan Vital'],
    ['capitalize of nothing', '{{other | capitalize}}', ''],
    ['json quotes', '{{quote | json}}', '"say \\"hi\\"\\n"'],
    ['json of a missing argument is the empty text', '{{other | json}}', '""'],
    ['default where the argument is missing', "{{other | default 'x'}}", 'x'],
    ['default where the argument is empty', '{{empty | default "x"}}', 'x'],
    ['default leaves a value alone', "{{name | default 'x'}}", 'Ada'],
    ['filters work from left to right', "{{space | trim | default 'none' | uppercase}}", 'NONE'],
    [
      'texts have escapes',
      String.raw`{{other | default 'a\'b\"c\\d\{e\}f\ng\th'}}`,
      'a\'b"c\\d{e}f\ng\th',
    ],
    ['texts may hold braces and the other quote', `{{other | default '"}}{{'}}`, '"}}{{'],

    ['an escaped brace is text', String.raw`\{{name}}`, '{{name}}'],
    ['all braces may be escaped', String.raw`\{\{name\}\}`, '{{name}}'],
    ['an escaped brace before a place', String.raw`\{{{name}}\}`, '{Ada}'],
    ['a brace escaped before a brace', String.raw`{\{name}}`, '{{name}}'],
    ['two backslashes before a place are one', String.raw`\\{{name}}`, '\\Ada'],
    ['three backslashes are one and an escaped brace', String.raw`\\\{{name}}`, '\\{{name}}'],
    [
      'backslashes elsewhere are text',
      String.raw`C:\\dir\new \frac{a}\\`,
      String.raw`C:\\dir\new \frac{a}` + '\\\\',
    ],
  ])('%s', (_, template, expected) => {
    const args = {
      a: '1',
      name: 'Ada',
      empty: '',
      space: ' \n',
      false: 'false',
      words: 'élan Vital',
      quote: 'say "hi"\n',
      'größe-1.a': 'XL',
      if: '1',
      eq: '2',
    };

    expect(render(template, args)).toBe(expected);
  });

  test('never reads values as template', () => {
    const value = '{{b}} {{#if b}} \\{ {{/if}} $& ';

    expect(render('{{a}}{{a | trim}}', { a: value, b: 'secret' })).toBe(value + value.trim());
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'takes %s for an argument like any other',
    (name) => {
      expect(render(`[{{${name}}}]{{#if ${name}}}x{{/if}}`)).toBe('[]');
      expect(render(`[{{${name}}}]`, Object.fromEntries([[name, 'v']]))).toBe('[v]');
    },
  );
});

describe('a template that breaks the grammar', () => {
  test.each([
    ['a tag without end', 'a\nb {{name', 2, 3, 'this tag is never closed; add }}'],
    ['a tag that ends in one brace', '{{name}', 1, 7, 'unexpected "}"'],
    ['an empty tag', '{{ }}', 1, 4, "expected an argument's name"],
    ['a third brace', '{{{name}}}', 1, 3, '\\{ is a brace as text'],
    ['two names', '{{first name}}', 1, 9, 'unexpected "n"'],
    ['an unknown block', '{{#each items}}', 1, 4, 'expected "if" and found "each"; the only block'],
    ['a condition without argument', '{{#if}}', 1, 6, "expected an argument's name"],
    ['another comparison', "{{#if a ne 'b'}}", 1, 9, 'expected "eq" and found "ne"'],
    [
      'a comparison with a name',
      '{{#if a eq b}}',
      1,
      12,
      "expected a text in quotes; write it as 'text'",
    ],
    ['a comparison with nothing', '{{#if a eq}}', 1, 11, 'expected a text in quotes'],
    ['a condition of two words', "{{#if a eq 'b' c}}", 1, 16, 'unexpected "c"'],
    ['else if', '{{#if a}}{{else if b}}{{/if}}', 1, 17, 'unexpected "i"'],
    [
      'else with a filter',
      '{{#if a}}{{else | trim}}{{/if}}',
      1,
      17,
      'unexpected "|"; conditions are',
    ],
    ['else outside', 'x{{else}}', 1, 2, '{{else}} has no {{#if}} of its own'],
    [
      'a second else',
      '{{#if a}}{{else}}{{else}}{{/if}}',
      1,
      18,
      '{{else}} has no {{#if}} of its own',
    ],
    ['an end without start', '{{/if}}', 1, 1, '{{/if}} has no {{#if}}'],
    ['another end', '{{#if a}}{{/each}}', 1, 13, 'expected "if" and found "each"'],
    [
      'a condition without end',
      'x\n\n {{#if a}}{{else}}',
      3,
      2,
      'this {{#if}} is never closed; add {{/if}}',
    ],
    [
      'an unknown filter',
      '{{a | shout}}',
      1,
      7,
      'there is no filter "shout"; the filters are uppercase,',
    ],
    ['a filter of the prototype', '{{a | constructor}}', 1, 7, 'there is no filter "constructor"'],
    ['no filter', '{{a |}}', 1, 6, 'expected a filter; the filters are'],
    ['default without text', '{{a | default}}', 1, 14, 'expected a text in quotes'],
    ['default with a bare word', '{{a | default x}}', 1, 15, 'expected a text in quotes'],
    ['a text without end', "{{a | default 'x}}", 1, 15, "this text is never closed; add '"],
    ['an unknown escape', String.raw`{{a | default '\x'}}`, 1, 16, 'unknown escape in a text'],
    ['a long unknown filter', `{{a | ${'y'.repeat(50)}}}`, 1, 7, `"${'y'.repeat(40)}..."`],
    [
      '33 conditions within each other',
      nested(MAX_NESTING + 1),
      1,
      9 * MAX_NESTING + 1,
      'nest conditions less',
    ],
  ])('is refused: %s', (_, template, line, column, message) => {
    const parsing = () => parseTemplate(template);

    expect(parsing).toThrow(message);
    expect(parsing).toThrow(expect.objectContaining({ name: 'TemplateError', line, column }));
    expect(parsing).toThrow(`line ${line}, column ${column}: `);
  });
});

describe('the arguments a template uses', () => {
  test('are named, once each, if they are not declared', () => {
    const template = parseTemplate('{{b}}{{#if c}}{{a}}{{else}}{{b}}{{#if d}}{{e}}{{/if}}{{/if}}');

    expect(unknownArguments(template, ['a', 'd'])).toEqual(['b', 'c', 'e']);
  });

  test('are known if all are declared', () => {
    expect(unknownArguments(parseTemplate('{{a}}'), ['a', 'b'])).toEqual([]);
  });
});

describe('large input', () => {
  const MEGABYTE = 1_000_000;

  test.each([
    ['text', 'x', 'x'],
    ['single braces', '{ ', '{ '],
    ['backslashes', '\\', '\\'],
    ['escaped braces', '\\{', '{'],
    ['places', '{{a}}', ''],
    ['conditions', '{{#if a}}x{{/if}}', ''],
    ['space in tags', `{{${' '.repeat(4090)}a}}`, ''],
  ])('of a megabyte is parsed and rendered: %s', (_, piece, expected) => {
    const count = Math.floor(MEGABYTE / piece.length);

    expect(render(piece.repeat(count)) === expected.repeat(count)).toBe(true);
  });

  test.each([
    ['a text', `{{a | default '${'\\n'.repeat(MEGABYTE / 2)}'}}`],
    ['a name', `{{${'n'.repeat(MEGABYTE)}}}`],
    ['filters', `{{a${'|trim'.repeat(MEGABYTE / 5)}}}`],
  ])('in one tag is parsed: %s', (_, template) => {
    expect(parseTemplate(template)).toHaveLength(1);
  });

  test.each([
    ['open tags', '{{'.repeat(MEGABYTE / 2)],
    ['conditions without end', '{{#if a}}'.repeat(MEGABYTE / 9)],
    ['lines before the fault', '\n'.repeat(MEGABYTE) + '{{'],
  ])('that is wrong is refused: %s', (_, template) => {
    expect(() => parseTemplate(template)).toThrow(
      expect.objectContaining({ name: 'TemplateError' }),
    );
  });

  test('fills the limit to the last character', () => {
    const a = 'x'.repeat(MAX_RENDERED_CHARACTERS - 1);

    expect(render('{{a}}!', { a })).toHaveLength(MAX_RENDERED_CHARACTERS);
    expect(() => render('{{a}}!?', { a })).toThrow(
      expect.objectContaining({ name: 'RpcRefusal', code: 'invalid_params' }),
    );
  });

  test.each([
    ['written again and again', '{{a}}'.repeat(10_000)],
    ['filtered without being written', "{{#if a | trim eq 'x'}}{{/if}}".repeat(10_000)],
    ['trimmed to nothing', '{{space | trim}}'.repeat(10_000)],
    ['doubled by json of json', `{{a${'|json'.repeat(10_000)}}}`],
  ])('is refused where a large argument is %s', (_, template) => {
    const args = { a: 'x'.repeat(10_000), space: ' '.repeat(10_000) };

    expect(() => render(template, args)).toThrow('send shorter arguments');
  });
});
