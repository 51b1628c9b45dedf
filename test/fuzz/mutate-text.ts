import type { Random } from '../support/random.ts';

/** Aliases of which each stands for eight of the one before. */
const EXPLOSION = [
  'a: &a [x, x, x, x, x, x, x, x]',
  ...[...'abcdefg'].map(
    (one, at) => `${'bcdefgh'[at]}: &${'bcdefgh'[at]} [${Array(8).fill(`*${one}`)}]`,
  ),
  '',
].join('\n');

const MARKS =
  '&a |*a |<<: *a\n|? |- |: |{|}|[|]|"|,|#|---\n|...\n|!!set {a, b}|!!js/function |%YAML 1.1\n';

/** What editors, generators and attackers leave in files. */
const FRAGMENTS = MARKS.split('|').concat(
  ['\t', '\r', '\n', "'", '|\n', '>-\n  ', '\u0000', '\ufeff', '\u2028', '\u0085', '\ud83d'],
  [
    '\\u',
    '\\ud800',
    '"\\',
    '/*',
    '//',
    '__proto__: 1\n',
    '"__proto__": {"a": 1},',
    'a: &b [*b, *b]\n',
  ],
  ['.nan', '.inf', '0x1F', '1e999', '~', 'yes', '2001-01-01', '!!binary '],
  ['{"a":'.repeat(900), '['.repeat(5000), '- '.repeat(600), EXPLOSION],
);

/** A file with some things wrong in it: cut off, overwritten, doubled, with characters that mean something. */
export const mutatedText = (original: string, random: Random): Buffer => {
  let text = original;
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const at = random.below(text.length + 1);
    const to = Math.min(text.length, at + random.below(random.oneIn(3) ? 2000 : 12));
    switch (random.below(6)) {
      case 0:
        text = text.slice(0, at);
        break;
      case 1:
        text = text.slice(0, at) + text.slice(to);
        break;
      case 2:
        text = text.slice(0, to) + text.slice(at, to) + text.slice(to);
        break;
      case 3: {
        const start = text.lastIndexOf('\n', at) + 1;
        const end = text.indexOf('\n', at) + 1 || text.length;
        text = text.slice(0, start) + text.slice(end) + text.slice(start, end);
        break;
      }
      default:
        text = text.slice(0, at) + random.pick(FRAGMENTS) + text.slice(random.oneIn(2) ? at : to);
    }
  }
  const bytes = Buffer.from(text, 'utf8');
  if (random.oneIn(6) && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  return random.oneIn(40) ? Buffer.from(text, 'utf16le') : bytes;
};
