import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import {
  isBinaryExpression,
  isCallExpression,
  isComputedPropertyName,
  isElementAccessExpression,
  isFunctionLikeDeclaration,
  isObjectBindingPattern,
  isPrivateIdentifier,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript-native/unstable/ast';
import {
  API,
  type Checker,
  type Type,
  TypeFlags,
  type UnionOrIntersectionType,
} from 'typescript-native/unstable/sync';

/** A place that asks an object for a name that is known only while the program runs. */
export interface Asked {
  /** Of the repository. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** What is asked, and for which name. */
interface Question {
  readonly node: Node;
  readonly object: Node | undefined;
  readonly name: Node;
}

/**
 * Where sources ask an object for a name that may be any text (`object[name]`, `name in object`, `Reflect.get(object,
 * name)`), and the function around it has not asked `Object.hasOwn` for the same. Every object has `constructor` and
 * `toString` from its prototype, so that whoever calls something by these names finds what nobody has put there.
 *
 * The compiler knows which names are of a closed list, and which places of an array.
 */
export const plainMaps = async (
  base: string,
  include: readonly string[],
): Promise<readonly Asked[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-plain-maps-'));
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = { typeRoots: [resolve('node_modules/@types')] };
  await writeFile(
    config,
    JSON.stringify({
      extends: resolve(base),
      compilerOptions,
      include: include.map((one) => resolve(one)),
      exclude: [resolve('node_modules'), resolve('layers/node_modules')],
    }),
  );
  const api = new API({ cwd: resolve('.') });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${base} cannot be opened`);
    const { checker, program } = project;
    return project.rootFiles.flatMap((path) => {
      if (!MAY_ASK.test(readFileSync(path, 'utf8'))) return [];
      const file = program.getSourceFile(path);
      return file ? inFile(file, checker) : [];
    });
  } finally {
    api.close();
    await rm(folder, { recursive: true });
  }
};

/** What a file without any such question does not have: most files are not read any further. */
const MAY_ASK = /[\w)\]!]\??\.?\[[^\]'"\d]|\bin\s|Reflect\.|\{[^}]*\[/;

const inFile = (file: SourceFile, checker: Checker): readonly Asked[] => {
  const questions: Question[] = [];
  const visit = (node: Node): void => {
    const question = questionOf(node);
    if (question && !isPrivateIdentifier(question.name)) questions.push(question);
    node.forEachChild(visit);
  };
  visit(file);
  const types =
    questions.length === 0 ? [] : checker.getTypeAtLocation(questions.map(({ name }) => name));
  const source = file.text;
  return questions
    .filter((question, index) => mayBeAnyName(types[index]) && !isGuarded(question, file))
    .map(({ node }) => ({
      file: relative(resolve('.'), file.fileName),
      line: source.slice(0, node.getStart(file)).split('\n').length,
      text: node.getText(file).replaceAll(/\s+/g, ' '),
    }));
};

const questionOf = (node: Node): Question | undefined => {
  if (isElementAccessExpression(node)) {
    return { node, object: node.expression, name: node.argumentExpression };
  }
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
    return { node, object: node.right, name: node.left };
  }
  if (isComputedPropertyName(node) && isObjectBindingPattern(node.parent.parent)) {
    return { node: node.parent, object: undefined, name: node.expression };
  }
  if (!isCallExpression(node) || !/^Reflect\.(?:get|has|set)$/.test(node.expression.getText())) {
    return undefined;
  }
  const [object, name] = node.arguments;
  return object && name && { node, object, name };
};

const mayBeAnyName = (type: Type | undefined): boolean => {
  if (!type) return true;
  if ((type.flags & (TypeFlags.Union | TypeFlags.Intersection)) !== 0) {
    return (type as UnionOrIntersectionType).getTypes().some(mayBeAnyName);
  }
  return (type.flags & ANY_NAME) !== 0;
};
const ANY_NAME =
  TypeFlags.String | TypeFlags.Any | TypeFlags.TemplateLiteral | TypeFlags.StringMapping;

/** Whether a function around it asks what the object has of its own, or goes through these names. */
const isGuarded = ({ node, object, name }: Question, file: SourceFile): boolean => {
  if (!object) return false;
  const [of, called] = [object, name].map((one) => one.getText(file).replaceAll(/\s+/g, ' '));
  const guards = [
    `Object.hasOwn(${of}, ${called})`,
    `const ${called} of Object.keys(${of})`,
    ...EACH.map((method) => `Object.keys(${of}).${method}((${called}`),
    ...EACH.map((method) => `Object.keys(${of}).${method}( (${called}`),
  ];
  for (let at: Node = node; at.parent; at = at.parent) {
    if (!isFunctionLikeDeclaration(at)) continue;
    const text = at.getText(file).replaceAll(/\s+/g, ' ');
    if (guards.some((guard) => text.includes(guard))) return true;
  }
  return false;
};
const EACH = ['every', 'filter', 'find', 'flatMap', 'map', 'some'];
