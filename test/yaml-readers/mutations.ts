import type { Random } from '../support/random.ts';

/** A change of one line of a YAML document, as people and generators make mistakes: the lines that stand for it. */
export type Mutation = (line: string) => readonly string[];

const value =
  (make: (text: string) => string): Mutation =>
  (line) =>
    line.replace(/: (.+)$/, (_, text: string) => `: ${make(text)}`).split('\n');
const key =
  (make: (indent: string, name: string) => string): Mutation =>
  (line) =>
    line
      .replace(/^(\s*)([\w$]+):/, (_, indent: string, name: string) => make(indent, name))
      .split('\n');

/** Indentation, separators, quotes, collections, indicators, tags, blocks, keys, and characters. */
export const MUTATIONS: readonly Mutation[] = [
  (line) => [` ${line}`],
  (line) => [line.replace(/^ /, '')],
  (line) => [line.replace(/^ {2}/, '\t')],
  (line) => [`${line}\t`],
  (line) => [`${line} # c`],
  (line) => [`${line}#c`],
  (line) => ['', line],
  (line) => ['\t', line],
  (line) => ['# comment', line],
  (line) => [line, line],
  () => [],
  (line) => [line.replace(/: /, ':')],
  (line) => [line.replace(/: /, ':\t')],
  (line) => [line.replace(/: /, ' : ')],
  (line) => [line.replace(/- /, '-')],
  (line) => [line.replace(/- /, '-\t')],
  value((text) => `"${text}`),
  value((text) => `'${text}'`),
  value((text) => `[${text}]`),
  value((text) => `[${text},]`),
  value((text) => `[${text}, ,]`),
  value((text) => `{a: ${text}}`),
  value(() => '{a, b}'),
  value(() => '{a:1}'),
  value(() => '{"a":1,"b":[1,2]\n}'),
  value(() => '[1,\n2\n]'),
  value(() => '{\n"a": 1\n}'),
  value(() => '"x\ny"'),
  value(() => '"x\n\ty"'),
  value(() => "'x\ny'"),
  value(() => 'x\ny'),
  value((text) => `@${text}`),
  value((text) => `%${text}`),
  value((text) => `*${text}`),
  value((text) => `&x ${text}`),
  value((text) => `! ${text}`),
  value((text) => `!!str ${text}`),
  value((text) => `!foo ${text}`),
  value((text) => `>\n${text}`),
  value((text) => `|2\n${text}`),
  value(() => `|-  # c\n${' '.repeat(14)}x`),
  value((text) => `${text}: more`),
  value((text) => `- ${text}`),
  value((text) => `? ${text}`),
  value((text) => `${text}\\`),
  value((text) => `"${text}\\z"`),
  value((text) => `"${text}\\/"`),
  value(() => ']'),
  value(() => ',x'),
  value(() => '-'),
  value(() => '='),
  value(() => '2020-01-01'),
  value(() => 'a\u00a0b'),
  value(() => 'a\u0085b'),
  value(() => 'a\u2028b'),
  value(() => 'a\u0007b'),
  value(() => 'a\u{1f600}b'),
  key((indent, name) => `${indent}"${name}":`),
  key((indent, name) => `${indent}"${name}" :`),
  key((indent, name) => `${indent}? ${name}\n${indent}:`),
  key((indent, name) => `${indent}/${name}:`),
  key((indent, name) => `${indent}${name} (x):`),
  key((indent, name) => `${indent}{${name}}:`),
  key((indent, name) => `${indent}[${name}]:`),
];

/** What stands around a whole document. */
const FRAMES: readonly ((text: string) => string)[] = [
  (text) => `---\n${text}`,
  (text) => `%YAML 1.2\n---\n${text}`,
  (text) => `%FOO bar\n---\n${text}`,
  (text) => `${text}\n...\n# x`,
  (text) => `\ufeff${text}`,
  (text) => text.replaceAll('\n', '\r\n'),
];

/** Lines of a document's head that are kept, with the one that is changed. */
const MOST_LINES = 400;

/** The head of a document, changed in one place, and at times in its frame. */
export const mutated = (text: string, random: Random): string => {
  const all = text.split('\n');
  const lines = all.slice(0, Math.min(all.length, 80 + random.below(MOST_LINES - 80)));
  const at = random.below(lines.length);
  const changed = lines.toSpliced(at, 1, ...random.pick(MUTATIONS)(lines[at] ?? '')).join('\n');
  return random.oneIn(12) ? random.pick(FRAMES)(changed) : changed;
};
