import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from './documents.ts';

/** Texts that readers stumbled over, each with what is said in its place. A row for each; comments may say what they like. */
const BETTER: readonly (readonly [was: RegExp, now: string])[] = [
  [/and this needs one that may/, 'has scope read; this command needs scope all'],
  [/nobody is there to agree/i, 'Not a terminal: pass --yes'],
  [/there is no terminal to/i, 'Not a terminal: pass …'],
  [/" is too much\./, 'Unexpected argument "…".'],
  [/, where nothing is[;`'"]/, 'which does not exist'],
  [/taken for any value/, 'any value is accepted'],
  [/\blog(?:s|ged|ging)? in(?:to)?\b/i, 'sign in'],
];

const FOLDERS = ['cli', 'console/src', 'layers'];
/** Words that people ask with: no text of ours. */
const ASKED = 'layers/search/synonyms.ts';

/** What may be shown, on one line: a text of several lines is found too. */
const textsOf = (source: string): string =>
  source
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
    .join(' ')
    .replaceAll(/\s+/g, ' ');

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|md|html|hbs)$/.test(file))
    .map((file) => `${folder}/${file}`),
)
  .filter((file) => file !== ASKED)
  .map((file) => ({ file, text: textsOf(readFileSync(join(ROOT, file), 'utf8')) }));

describe('texts of command line, console and service', () => {
  test.each(BETTER)('do not say %s', (was, now) => {
    const saying = sources.filter(({ text }) => was.test(text)).map(({ file }) => file);

    expect({ saying, sayInstead: now }).toEqual({ saying: [], sayInstead: now });
  });

  test('are all read', () => {
    expect(sources.length).toBeGreaterThan(900);
  });
});
