import ts from 'typescript';
import type { Random } from '../support/random.ts';

/** One operator of a source in another's place. */
export interface Mutant {
  readonly file: string;
  /** The line as it was, without indentation: finds the place again in another commit. */
  readonly line: string;
  /** Which of the places in lines of this text it is, from 0. */
  readonly occurrence: number;
  readonly from: string;
  readonly to: string;
}

/** A place in a source, with what stands there. */
interface Place extends Mutant {
  readonly start: number;
}

const REPLACEMENTS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '!': '',
  true: 'false',
  false: 'true',
  some: 'every',
  every: 'some',
};

/** @returns every place of a source where an operator can be replaced */
export const placesIn = (file: string, source: string): readonly Place[] => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const places: Place[] = [];
  const counts = new Map<string, number>();
  const add = (start: number, from: string): void => {
    const to = REPLACEMENTS[from];
    if (to === undefined) return;
    const line = lineAt(source, start);
    const key = `${from} ${line}`;
    const occurrence = counts.get(key) ?? 0;
    counts.set(key, occurrence + 1);
    places.push({ file, line, occurrence, from, to, start });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node)) {
      add(node.operatorToken.getStart(tree), node.operatorToken.getText(tree));
    } else if (
      ts.isPrefixUnaryExpression(node) &&
      node.operator === ts.SyntaxKind.ExclamationToken
    ) {
      add(node.getStart(tree), '!');
    } else if (
      node.kind === ts.SyntaxKind.TrueKeyword ||
      node.kind === ts.SyntaxKind.FalseKeyword
    ) {
      add(node.getStart(tree), node.getText(tree));
    } else if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) {
      add(node.name.getStart(tree), node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return places;
};

/** @throws Error if the source has no such place */
export const mutated = (source: string, mutant: Mutant): string => {
  const place = placesIn(mutant.file, source).find(
    ({ line, occurrence, from }) =>
      line === mutant.line && occurrence === mutant.occurrence && from === mutant.from,
  );
  if (!place) throw new Error(`nothing to replace in ${mutant.file}: ${mutant.line}`);
  const { start, from, to } = place;
  return source.slice(0, start) + to + source.slice(start + from.length);
};

/** So many of the places in these sources, each at most once. */
export const someMutants = (
  sources: ReadonlyMap<string, string>,
  count: number,
  random: Random,
): readonly Mutant[] => {
  const places = [...sources].flatMap(([file, source]) => placesIn(file, source));
  const picked: Mutant[] = [];
  while (picked.length < count && places.length > 0) {
    for (const { start: _, ...mutant } of places.splice(random.below(places.length), 1)) {
      picked.push(mutant);
    }
  }
  return picked;
};

const lineAt = (source: string, position: number): string => {
  const begin = source.lastIndexOf('\n', position - 1) + 1;
  const end = source.indexOf('\n', position);
  return source.slice(begin, end === -1 ? undefined : end).trim();
};
