import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** What runs with texts of others; tests and measurements do not. */
const FOLDERS = ['bin', 'cli', 'console', 'lambdas', 'layers', 'lib', 'local'];

/** A regular expression that stands in a source. */
export interface Literal {
  /** As it is written: `/a+/g`. */
  readonly text: string;
  /** File and line. */
  readonly at: string;
}

/** One that is put together when the program runs. */
export interface PutTogether {
  readonly file: string;
  /** As it is written: `new RegExp(a)`. */
  readonly text: string;
  readonly at: string;
}

export interface Patterns {
  readonly literals: readonly Literal[];
  readonly putTogether: readonly PutTogether[];
}

export const patternsOfTheService = (): Patterns => {
  const files = globSync(
    FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,js,mjs,cjs}`),
    { exclude: ['**/node_modules/**'] },
  ).toSorted();
  const all = files.flatMap((file) => patternsIn(file, readFileSync(file, 'utf8')));
  return {
    literals: all.flatMap(({ literals }) => literals),
    putTogether: all.flatMap(({ putTogether }) => putTogether),
  };
};

export const patternsIn = (file: string, source: string): Patterns => {
  if (!source.includes('/') && !source.includes('RegExp')) return { literals: [], putTogether: [] };
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const literals: Literal[] = [];
  const putTogether: PutTogether[] = [];
  const visit = (node: ts.Node): void => {
    const at = () => {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
      return `${file}:${line + 1}`;
    };
    if (ts.isRegularExpressionLiteral(node)) literals.push({ text: node.text, at: at() });
    else if (makesPattern(node, tree)) {
      const text = node.getText(tree).replaceAll(/\s+/g, ' ');
      putTogether.push({ file, text, at: at() });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { literals, putTogether };
};

const makesPattern = (node: ts.Node, tree: ts.SourceFile): boolean =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  node.expression.getText(tree) === 'RegExp';
