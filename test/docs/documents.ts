import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A file of the repository as the tests of documents see it. */
export interface RepositoryFile {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** All documents: Markdown at the root and in `docs/`. */
export const documents = (): Promise<readonly RepositoryFile[]> => filesOf('*.md', 'docs/**/*.md');

/** All programs and tests. */
export const programs = (): Promise<readonly RepositoryFile[]> =>
  filesOf('*.{mjs,cjs}', '{bench,bin,cli,lambdas,layers,lib,local,test}/**/*.{ts,mjs,cjs}');

const filesOf = async (...patterns: readonly string[]): Promise<readonly RepositoryFile[]> => {
  const files: RepositoryFile[] = [];
  const exclude = (path: string) => /(?:^|\/)node_modules$/.test(path);
  for await (const path of glob(patterns, { cwd: ROOT, exclude })) {
    files.push({ path, text: await readFile(`${ROOT}${path}`, 'utf8') });
  }
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
};
