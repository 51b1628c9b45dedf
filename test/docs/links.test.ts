import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { citationsIn, documentsIn, numberedTitlesIn, strangeCitationsIn } from './citations.ts';
import { documents, programs, ROOT } from './documents.ts';
import { anchorsOf, headingsOf, proseOf } from './headings.ts';

/** The targets of a document's links and pictures that do not lead to another host. */
const linksIn = (markdown: string): readonly string[] =>
  [...proseOf(markdown).matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));

const textAt = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

describe('the documents', () => {
  test('link to files and headings that are there', async () => {
    const all = await documents();
    const broken: string[] = [];
    for (const { path, text } of all) {
      for (const link of linksIn(text)) {
        const [file = '', anchor] = link.split('#', 2);
        const target = file === '' ? path : normalize(join(dirname(path), decodeURI(file)));
        const isThere =
          existsSync(join(ROOT, target)) &&
          (anchor === undefined || anchorsOf(await textAt(target)).has(anchor));
        if (!isThere) broken.push(`${path}: ${link}`);
      }
    }

    expect(broken).toEqual([]);
    expect(all.flatMap(({ text }) => linksIn(text)).length).toBeGreaterThan(20);
  });

  test('have no two headings of one name, so that a citation means one place', async () => {
    const repeated = (await documents())
      .filter(({ path }) => path.startsWith('docs/'))
      .flatMap(({ path, text }) => {
        const headings = headingsOf(text);
        return headings
          .filter((heading, at) => headings.indexOf(heading) !== at)
          .map((heading) => `${path}: ${heading}`);
      });

    expect(repeated).toEqual([]);
  });
});

describe('comments of programs and tests', () => {
  test('name headings that the documents have', async () => {
    const headings = new Map(
      (await documents()).map(({ path, text }) => [path, new Set(headingsOf(text))]),
    );
    const missing = (await programs())
      .flatMap(citationsIn)
      .filter(({ document, heading }) => !headings.get(document)?.has(heading))
      .map(({ path, document, heading }) => `${path}: ${document}, "${heading}"`);

    expect(missing).toEqual([]);
  });

  test('name documents that are in the repository', async () => {
    const missing = (await programs())
      .flatMap((file) => documentsIn(file).map((document) => ({ path: file.path, document })))
      .filter(({ document }) => !existsSync(join(ROOT, document)))
      .map(({ path, document }) => `${path}: ${document}`);

    expect(missing).toEqual([]);
  });

  test('cite nothing that a reader of the repository cannot look up', async () => {
    expect((await programs()).flatMap(strangeCitationsIn)).toEqual([]);
  });

  test('leave the numbers of such statements out of titles', async () => {
    const tests = (await programs()).filter(({ path }) => path.startsWith('test/'));

    expect(tests.flatMap(numberedTitlesIn)).toEqual([]);
  });
});
