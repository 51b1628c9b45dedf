import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { noWarnings } from '../../../../layers/core/domain/openapi/intake/findings.ts';
import { parsePlainYaml } from '../../../../layers/core/domain/openapi/intake/plain-yaml/parse-plain-yaml.ts';
import { parseYaml } from '../../../../layers/core/domain/openapi/intake/yaml.ts';

/** What the reader of all of YAML makes of a text; undefined where it refuses it or warns. */
const read = (text: string): unknown => {
  const warnings = noWarnings();
  try {
    const tree = parseYaml(text, warnings);
    return warnings.all().length > 0 ? undefined : tree;
  } catch {
    return undefined;
  }
};

describe('reading YAML as descriptions are written', () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      'mappings and sequences',
      'a:\n  b: 1\n  c:\n  - x\n  - y: 2\n    z: 3\n  -\n    - deep\nd:\n',
    ],
    [
      'comments and empty lines',
      '# top\n\na: 1 # one\n\n# between\nb:\n  # inside\n  c: 2\n# end\n',
    ],
    ['the mark of a document', '# first\n---\na: 1\n'],
    [
      'numbers, words and what only looks like them',
      'a: [1, -2.5, 0x1F, 1e3, null, ~, true, no, 1.2.3, 2020-01-01, +1, .5]\n',
    ],
    ['keys that are numbers', "200: a\n'404': b\n5XX: c\n"],
    [
      'scalars over several lines',
      "a: one\n  two\n\n  three\nb: \"one\n  two \\\n  \\ three\\u00e9\"\nc: 'it''s\n\n  so'\n",
    ],
    [
      'literal scalars',
      'a: |\n  one\n\n    two \n  three\n\nb: |-\n  x\nc: |+\n  y\n\nd: |2\n   z\n',
    ],
    ['folded scalars', 'a: >\n  one\n  two\n\n  three\n    deeper\n  four\n\nb: >-\n  x\n  y\n'],
    [
      'collections in brackets and braces',
      'a: {b: [x, \'y\', "z"], "c": {}, d: []}\ne: [\n  1,\n  2,\n  ]\n',
    ],
    ['colons and hashes within words', 'a: http://x/#y\nb: c:d\nc: -x\n'],
    ['no line end at the end', 'a: b'],
  ];
  test.each(cases)('reads %s as any YAML reader does', (_, text) => {
    const plain = parsePlainYaml(text);

    expect(plain).toBeDefined();
    expect(plain).toEqual(read(text));
  });

  test.each([
    ['anchors and aliases', 'a: &x 1\nb: *x\n'],
    ['merge keys', 'a:\n  <<: {b: 1}\n'],
    ['tags', 'a: !!str 1\n'],
    ['explicit keys', '? a\n: b\n'],
    ['keys that stand twice', 'a: 1\na: 2\n'],
    ['a key that no object may have', '__proto__: 1\n'],
    ['keys over several lines', '"a\n  b": 1\n'],
    ['keys that are written otherwise as texts', '1.0: 1\n'],
    ['tabs between tokens', 'a:\t1\n'],
    ['Windows line ends', 'a: 1\r\nb: 2\r\n'],
    ['several documents', 'a: 1\n---\nb: 2\n'],
    ['directives', '%YAML 1.2\n---\na: 1\n'],
    ['a scalar alone', 'a\n'],
    ['nothing', ''],
    ['a mapping on the line of a key', 'a: b: c\n'],
    ['lines that stand out of line', 'a:\n    b: 1\n  c: 2\n'],
    ['quotes that do not end', 'a: "b\n'],
    ['brackets that do not end', 'a: [b\n'],
    ['values of texts that are no texts', 'type: string\nenum: [01]\n'],
    ['values of texts that are no texts, in braces', 'a: {type: string, default: 1.0}\n'],
    ['control characters', 'a: \u0000\n'],
    ['halves of surrogate pairs', 'a: \ud800\n'],
    ['numbers without end', 'a: .inf\n'],
    ['more values than are accepted', `a: [${'1,'.repeat(500_001)}]\n`],
    ['nesting without end', `a: ${'['.repeat(200)}${']'.repeat(200)}\n`],
  ])('leaves %s to the reader of all of YAML', (_, text) => {
    expect(parsePlainYaml(text)).toBeUndefined();
  });

  const TOKENS = [
    'a b key 1 1.5 0x1F -0 null ~ true << é http://x " \' | > # [ ] { } , &a *a !t \\ --- ... % @ `'.split(
      ' ',
    ),
    [
      'x y',
      '- ',
      '-',
      ': ',
      ':',
      ' ',
      '  ',
      '    ',
      '\n',
      '\n  ',
      '\n    ',
      '\n\n',
      '\n   \n',
      '\t',
    ],
    [
      '|-\n',
      '>-\n',
      '|+\n',
      '>\n',
      '|2\n',
      ' #c',
      ', ',
      '? ',
      '\\n',
      '\\ ',
      '\\\n',
      '::',
      '[]',
      '{}',
    ],
    [
      'k: ',
      'k:\n  ',
      'k:\n- ',
      '- a\n- b\n',
      'foo: bar\n',
      '{a: b}',
      '[1, 2]',
      "'it''s'",
      '"q": 1',
    ],
  ].flat();
  test('reads nothing otherwise than the reader of all of YAML', () => {
    const texts = fc
      .array(fc.constantFrom(...TOKENS), { maxLength: 16 })
      .map((parts) => parts.join(''));

    fc.assert(
      fc.property(texts, (text) => {
        const plain = parsePlainYaml(text);
        if (plain !== undefined) expect(plain).toEqual(read(text));
      }),
      { numRuns: 20_000 },
    );
  });
});
