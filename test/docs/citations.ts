import { type RepositoryFile } from './documents.ts';

/** A heading of a document that a comment names. */
export interface Citation {
  /** Of the file with the comment. */
  readonly path: string;
  /** From the repository's root. */
  readonly document: string;
  readonly heading: string;
}

/**
 * Citations in the form `docs/limits.md, "How they are set"`, perhaps with further headings of the same
 * document behind it: `docs/limits.md, "How they are set", "Whom a limit counts"`. They may be broken where a comment's line ends.
 */
export const citationsIn = ({ path, text }: RepositoryFile): readonly Citation[] =>
  [...inOneLine(text).matchAll(/\b(docs\/[\w./-]+\.md)((?:, "[^"\n]+")+)/g)].flatMap(
    ([, document = '', headings = '']) =>
      [...headings.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => ({ path, document, heading })),
  );

/** Documents that comments name, with a heading or without. */
export const documentsIn = ({ text }: RepositoryFile): readonly string[] =>
  [...text.matchAll(/(?<![\w/.-])docs\/[\w./-]+\.md\b/g)].map(([document]) => document);

/** A number as documents outside of the repository number their statements. S3 and V8 are none. */
const NUMBER = String.raw`(?<![\w#/.$-])(?!V8\b)(?:TL|[DTJKARV])\d{1,2}(?![\w(/-])`;
/** The names of such documents. */
const ELSEWHERE = [
  String.raw`(?<!docs/)(?<![\w/-])(?:tools|decisions|protocol|interface|management-api|architecture)\.md\b`,
  String.raw`\b(?:[Ss]pec|(?:Source: |; |[Tt]he )specification|architecture|decisions), ["\x60]`,
  String.raw`\b(?:the|our) spec\b`,
  String.raw`\bissue \d+\b`,
].join('|');

/** What comments cite that is not in the repository, each with its comment. */
export const strangeCitationsIn = ({ path, text }: RepositoryFile): readonly string[] =>
  commentsIn(text)
    .filter((comment) => new RegExp(`${NUMBER}|${ELSEWHERE}`).test(comment))
    .map((comment) => `${path}: ${comment.slice(0, 160)}`);

/** Titles and rows of tests that begin with such a number, or have some in brackets. */
export const numberedTitlesIn = ({ path, text }: RepositoryFile): readonly string[] =>
  [...text.matchAll(new RegExp(`["'\x60]${NUMBER}[,:]? .*| \\(${NUMBER}[,);:].*`, 'gm'))].map(
    ([found]) => `${path}: ${found.trim().slice(0, 160)}`,
  );

/** Comments of programs, each in one line. Those behind code on its line have a blank before and behind `//`. */
const commentsIn = (text: string): readonly string[] =>
  [...inOneLine(text).matchAll(/^[ \t]*\/\*[\s\S]*?\*\/|(?:^|(?<=[ \t]))\/\/ .*$/gm)].map(
    ([comment]) => comment.trim(),
  );

/** With the lines of each comment as one. */
const inOneLine = (text: string): string => text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)[ \t]?/g, ' ');
