import { readFile } from 'node:fs/promises';
import ts from 'typescript';

/** Something that is waited for where its failure would take the place of what was decided already. */
export interface AfterWork {
  readonly file: string;
  readonly text: string;
}

/**
 * What code waits for when all is decided: in `finally`, in a `catch` that throws on, and where events are stored;
 * without what cannot fail, since it goes through `afterwards` or is caught.
 */
export const afterWork = async (files: readonly string[]): Promise<readonly AfterWork[]> => {
  const found = files.map(async (file) => {
    const text = await readFile(file, 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    return decidingIn(source).map((node) => ({ file, text: node.getText().replace(/\s+/g, ' ') }));
  });
  return (await Promise.all(found)).flat();
};

const decidingIn = (source: ts.SourceFile): readonly ts.AwaitExpression[] => {
  const found = new Set<ts.AwaitExpression>();
  const collect = (block: ts.Node): void => {
    for (const one of awaitsIn(block)) if (!cannotFail(one.expression)) found.add(one);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTryStatement(node)) {
      if (node.finallyBlock) collect(node.finallyBlock);
      const caught = node.catchClause?.block;
      if (caught && throwsIn(caught)) collect(caught);
    }
    const called = ts.isCallExpression(node) ? methodOf(node) : undefined;
    if (ts.isCallExpression(node) && (called === 'finally' || called === 'catch')) {
      const [handler] = node.arguments;
      const isOwn = handler && (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler));
      if (isOwn && (called === 'finally' || throwsIn(handler.body))) collect(handler.body);
    }
    if (ts.isAwaitExpression(node) && methodOf(node.expression) === 'flush') found.add(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found];
};

/** Without those of functions inside, which are not waited for here. */
const within = <Node extends ts.Node>(
  root: ts.Node,
  is: (node: ts.Node) => node is Node,
): readonly Node[] => {
  const found: Node[] = [];
  const visit = (node: ts.Node): void => {
    if (node !== root && ts.isFunctionLike(node)) return;
    if (is(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
};
const awaitsIn = (root: ts.Node) => within(root, ts.isAwaitExpression);
const throwsIn = (root: ts.Node): boolean => within(root, ts.isThrowStatement).length > 0;

const methodOf = (node: ts.Node): string | undefined =>
  ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)
    ? node.expression.name.text
    : undefined;

const cannotFail = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  (node.expression.getText() === 'afterwards' ||
    methodOf(node) === 'catch' ||
    node.expression.getText() === 'Promise.allSettled');
