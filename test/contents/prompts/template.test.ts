import { describe, expect, test } from '@jest/globals';
import {
  MAX_NESTING,
  MAX_RENDERED_CHARACTERS,
  parseTemplate,
  renderTemplate,
  unknownArguments,
} from '../../../layers/contents/prompts/template.ts';

const render = (template: string, args: Record<string, string> = {}) =>
  renderTemplate(parseTemplate(template), args);

const nested = (depth: number) => '{{#if a}}'.repeat(depth) + 'x' + '{{/if}}'.repeat(depth);

describe('rendering a prompt template', () => {
  test.each([
    ['text stays as it is', 'Hi,\r\n\t{you} and }} and \\n', 'Hi,\r\n\t{you} and }} and \\n'],
    ['an empty template renders as empty text', '', ''],
    ['a placeholder renders as its value', 'Hi {{name}}!', 'Hi Ada!'],
    ['space in a tag is ignored', 'Hi {{\n name\t}}!', 'Hi Ada!'],
    ['a missing argument renders as empty text', '[{{other}}]', '[]'],
    ['names may have dashes, dots and letters of any script', '{{größe-1.a}}', 'XL'],
    ['an argument may be named like a keyword', '{{if}}{{eq}}', '12'],

    ['a condition holds for a value', '{{#if name}}yes{{/if}}', 'yes'],
    ['a condition fails without a value', '{{#if other}}yes{{/if}}', ''],
    ['a condition fails for an empty value', '{{#if empty}}yes{{else}}no{{/if}}', 'no'],
    ['a space, "false" and 0 count as values', '{{#if space}}1{{/if}}{{#if false}}2{{/if}}', '12'],
    ['else is left out where the condition holds', '{{#if name}}yes{{else}}no{{/if}}', 'yes'],
    ['space in conditions is ignored', '{{ # if  name }}yes{{ else }}no{{ / if }}', 'yes'],
    [
      'conditions may be nested in others',
      '{{#if name}}{{#if other}}a{{else}}b{{/if}}c{{/if}}',
      'bc',
    ],
    ['an else belongs to the innermost', '{{#if other}}{{#if name}}a{{/if}}{{else}}b{{/if}}', 'b'],
    ['conditions may be nested 32 deep', nested(MAX_NESTING), 'x'],

    ['else if is tried where the condition fails', '{{#if other}}a{{else if name}}b{{/if}}', 'b'],
    [
      'of several else ifs the first that holds counts',
      "{{#if other}}a{{else if name eq 'Bob'}}b{{else if name}}c{{else if name}}d{{else}}e{{/if}}f",
      'cf',
    ],
    ['else follows the last else if', '{{#if other}}a{{else if empty}}b{{else}}c{{/if}}d', 'cd'],
    ['space in else if is ignored', '{{#if other}}{{ else  if name }}b{{/if}}', 'b'],

    [
      'tags alone on their lines take the lines with them',
      'a\n{{#if name}}\nb\n{{/if}}\nc',
      'a\nb\nc',
    ],
    ['so do those of else', '{{#if other}}\nb\n  {{else}}\t\nc\n{{/if}}\n', 'c\n'],
    [
      'line ends of Windows are line ends',
      'a\r\n {{#if name}} \r\nb\r\n{{/if}}\r\nc',
      'a\r\nb\r\nc',
    ],
    ['a tag beside text leaves the line as it is', 'a\n {{#if name}}b\n{{/if}} c\n', 'a\n b\n c\n'],
    [
      'two tags on one line leave it as it is',
      'a\n{{#if name}}{{#if name}}\nb{{/if}}{{/if}}\n',
      'a\n\nb\n',
    ],
    ['a value alone on its line leaves it as it is', 'a\n {{other}}\nb', 'a\n \nb'],
    ['an escaped tag alone on its line is text', String.raw`\{{#if a}}` + '\n', '{{#if a}}\n'],

    ['a comparison holds for the same text', "{{#if name eq 'Ada'}}yes{{/if}}", 'yes'],
    ['a comparison is case-sensitive', "{{#if name eq 'ada'}}yes{{else}}no{{/if}}", 'no'],
    ['a comparison accepts double quotes', '{{#if name eq "Ada"}}yes{{/if}}', 'yes'],
    ['a missing argument equals the empty text', "{{#if other eq ''}}yes{{/if}}", 'yes'],
    ['an argument named eq can be compared', "{{#if eq eq '2'}}yes{{/if}}", 'yes'],
    ['a condition may use filters', '{{#if space | trim}}a{{else}}b{{/if}}', 'b'],
    ['a comparison may use filters', "{{#if name | lowercase eq 'ada'}}yes{{/if}}", 'yes'],

    ['uppercase changes all letters', '{{name | uppercase}}', 'ADA'],
    ['lowercase changes all letters', '{{name|lowercase}}', 'ada'],
    ['trim removes space around a value', '[{{space | trim}}]', '[]'],
    ['capitalize changes the first letter only', '{{words | capitalize}}', 'Élan Vital'],
    ['capitalize of a missing argument is empty', '{{other | capitalize}}', ''],
    ['json quotes a value', '{{quote | json}}', '"say \\"hi\\"\\n"'],
    ['json of a missing argument is the empty text', '{{other | json}}', '""'],
    ['default replaces a missing argument', "{{other | default 'x'}}", 'x'],
    ['default replaces an empty argument', '{{empty | default "x"}}', 'x'],
    ['default does not replace a value', "{{name | default 'x'}}", 'Ada'],
    ['filters work from left to right', "{{space | trim | default 'none' | uppercase}}", 'NONE'],
    [
      'strings may contain escapes',
      String.raw`{{other | default 'a\'b\"c\\d\{e\}f\ng\th'}}`,
      'a\'b"c\\d{e}f\ng\th',
    ],
    ['strings may contain braces and quotes', `{{other | default '"}}{{'}}`, '"}}{{'],

    ['an escaped brace is text', String.raw`\{{name}}`, '{{name}}'],
    ['all braces may be escaped', String.raw`\{\{name\}\}`, '{{name}}'],
    ['an escaped brace precedes a placeholder', String.raw`\{{{name}}\}`, '{Ada}'],
    ['the second of two braces may be escaped', String.raw`{\{name}}`, '{{name}}'],
    ['two backslashes before a tag are one', String.raw`\\{{name}}`, '\\Ada'],
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

  test('never interprets a value as a template', () => {
    const value = '{{b}} {{#if b}} \\{ {{/if}} $& ';

    expect(render('{{a}}{{a | trim}}', { a: value, b: 'secret' })).toBe(value + value.trim());
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'treats an argument named %s like any other',
    (name) => {
      expect(render(`[{{${name}}}]{{#if ${name}}}x{{/if}}`)).toBe('[]');
      expect(render(`[{{${name}}}]`, Object.fromEntries([[name, 'v']]))).toBe('[v]');
    },
  );
});

describe('a malformed prompt template', () => {
  test.each([
    ['a tag that is never closed', 'a\nb {{name', 2, 3, 'this tag is never closed; add }}'],
    ['a tag that ends in one brace', '{{name}', 1, 7, 'unexpected "}"'],
    ['an empty tag', '{{ }}', 1, 4, "expected an argument's name"],
    ['a third brace', '{{{name}}}', 1, 3, '\\{ is a brace as text'],
    ['two names', '{{first name}}', 1, 9, 'unexpected "n"'],
    ['an unknown block', '{{#each items}}', 1, 4, 'expected "if" and found "each"; the only block'],
    ['a condition without an argument', '{{#if}}', 1, 6, "expected an argument's name"],
    ['another comparison', "{{#if a ne 'b'}}", 1, 9, 'expected "eq" and found "ne"'],
    [
      'a comparison with a name',
      '{{#if a eq b}}',
      1,
      12,
      "expected a text in quotes; write it as 'text'",
    ],
    ['a comparison without a string', '{{#if a eq}}', 1, 11, 'expected a text in quotes'],
    ['a condition of two words', "{{#if a eq 'b' c}}", 1, 16, 'unexpected "c"'],
    [
      'an else if without a condition',
      '{{#if a}}{{else if}}{{/if}}',
      1,
      19,
      "expected an argument's name",
    ],
    ['else with another word', '{{#if a}}{{else x}}{{/if}}', 1, 17, 'expected "if" and found "x"'],
    [
      'an else if after else',
      '{{#if a}}{{else}}{{else if a}}{{/if}}',
      1,
      18,
      '{{else}} has no {{#if}} of its own',
    ],
    ['an else if outside of a block', '{{else if a}}', 1, 1, '{{else}} has no {{#if}} of its own'],
    [
      'else with a filter',
      '{{#if a}}{{else | trim}}{{/if}}',
      1,
      17,
      'unexpected "|"; conditions are',
    ],
    ['an else outside of a condition', 'x{{else}}', 1, 2, '{{else}} has no {{#if}} of its own'],
    [
      'a second else',
      '{{#if a}}{{else}}{{else}}{{/if}}',
      1,
      18,
      '{{else}} has no {{#if}} of its own',
    ],
    ['an {{/if}} without an {{#if}}', '{{/if}}', 1, 1, '{{/if}} has no {{#if}}'],
    ['the end of another block', '{{#if a}}{{/each}}', 1, 13, 'expected "if" and found "each"'],
    [
      'a condition that is never closed',
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
    ['an inherited filter', '{{a | constructor}}', 1, 7, 'there is no filter "constructor"'],
    ['a missing filter', '{{a |}}', 1, 6, 'expected a filter; the filters are'],
    ['default without a string', '{{a | default}}', 1, 14, 'expected a text in quotes'],
    ['default with a bare word', '{{a | default x}}', 1, 15, 'expected a text in quotes'],
    ['an unclosed string', "{{a | default 'x}}", 1, 15, "this text is never closed; add '"],
    ['an unknown escape', String.raw`{{a | default '\x'}}`, 1, 16, 'unknown escape in a text'],
    ['a long unknown filter', `{{a | ${'y'.repeat(50)}}}`, 1, 7, `"${'y'.repeat(40)}..."`],
    [
      'conditions nested 33 deep',
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

describe('the undeclared arguments of a prompt template', () => {
  test('are listed once each', () => {
    const template = parseTemplate('{{b}}{{#if c}}{{a}}{{else}}{{b}}{{#if d}}{{e}}{{/if}}{{/if}}');

    expect(unknownArguments(template, ['a', 'd'])).toEqual(['b', 'c', 'e']);
  });

  test('are none where all are declared', () => {
    expect(unknownArguments(parseTemplate('{{a}}'), ['a', 'b'])).toEqual([]);
  });
});

describe('a prompt template of a megabyte', () => {
  const MEGABYTE = 1_000_000;

  test.each([
    ['text', 'x', 'x'],
    ['single braces', '{ ', '{ '],
    ['backslashes', '\\', '\\'],
    ['escaped braces', '\\{', '{'],
    ['placeholders', '{{a}}', ''],
    ['conditions', '{{#if a}}x{{/if}}', ''],
    ['space in tags', `{{${' '.repeat(4090)}a}}`, ''],
  ])('is parsed and rendered: %s', (_, piece, expected) => {
    const count = Math.floor(MEGABYTE / piece.length);

    expect(render(piece.repeat(count)) === expected.repeat(count)).toBe(true);
  });

  test.each([
    ['a text', `{{a | default '${'\\n'.repeat(MEGABYTE / 2)}'}}`],
    ['a name', `{{${'n'.repeat(MEGABYTE)}}}`],
    ['filters', `{{a${'|trim'.repeat(MEGABYTE / 5)}}}`],
  ])('may be a single tag: %s', (_, template) => {
    expect(parseTemplate(template)).toHaveLength(1);
  });

  test.each([
    ['open tags', '{{'.repeat(MEGABYTE / 2)],
    ['conditions that are never closed', '{{#if a}}'.repeat(MEGABYTE / 9)],
    ['many lines before the error', '\n'.repeat(MEGABYTE) + '{{'],
  ])('is refused where it is malformed: %s', (_, template) => {
    expect(() => parseTemplate(template)).toThrow(
      expect.objectContaining({ name: 'TemplateError' }),
    );
  });

  test('may render exactly as many characters as are allowed', () => {
    const a = 'x'.repeat(MAX_RENDERED_CHARACTERS - 1);

    expect(render('{{a}}!', { a })).toHaveLength(MAX_RENDERED_CHARACTERS);
    expect(() => render('{{a}}!?', { a })).toThrow(
      expect.objectContaining({ name: 'RpcRefusal', code: 'invalid_params' }),
    );
  });

  test.each([
    ['rendered again and again', '{{a}}'.repeat(10_000)],
    ['filtered without being rendered', "{{#if a | trim eq 'x'}}{{/if}}".repeat(10_000)],
    ['trimmed to nothing', '{{space | trim}}'.repeat(10_000)],
    ['doubled by json of json', `{{a${'|json'.repeat(10_000)}}}`],
  ])('is refused where a large argument is %s', (_, template) => {
    const args = { a: 'x'.repeat(10_000), space: ' '.repeat(10_000) };

    expect(() => render(template, args)).toThrow('send shorter arguments');
  });
});
