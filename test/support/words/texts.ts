import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const ROOT = join(import.meta.dirname, '../../..');
/** From where sentences come that the management API says to whoever uses the console. */
const SAYING = [
  'layers/activity/routes',
  'layers/activity/steps',
  'layers/api',
  'layers/contents/prompts',
  'layers/contents/resources',
  'layers/contents/routes',
  'layers/contents/steps',
  'layers/credentials/rules',
  'layers/management',
  'layers/openapi',
  'layers/servers/routes',
  'layers/servers/rules',
  'layers/servers/steps',
];
/** Descriptions of the API, and of what frameworks write, are for programmers; they stand under these names. */
const FOR_PROGRAMMERS = new Set([
  'description',
  'summary',
  'title',
  'about',
  'frameworks',
  'writes',
  'takes',
  'source',
]);

/** A text that people read, and the file it stands in. */
export interface Text {
  readonly file: string;
  readonly text: string;
}

/** Of a literal, with … for what is put into it. */
const textOf = (node: ts.Node): string | undefined =>
  ts.isStringLiteralLike(node)
    ? node.text
    : ts.isTemplateExpression(node)
      ? node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
      : undefined;

const parsed = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

const literalsIn = (file: string): readonly string[] => {
  const source = parsed(file);
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    if (
      ts.isPropertyAssignment(node) &&
      ts.isIdentifier(node.name) &&
      FOR_PROGRAMMERS.has(node.name.text)
    ) {
      return;
    }
    // What is thrown by itself is a fault of ours, which people never read.
    if (
      ts.isNewExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === 'Error'
    )
      return;
    // `'minimum maximum'.split(' ')` is a list of names.
    const holder = ts.isParenthesizedExpression(node.parent) ? node.parent.parent : node.parent;
    if (ts.isPropertyAccessExpression(holder) && holder.name.text === 'split') return;
    const text = textOf(node);
    if (text !== undefined && /\S \S+ \S/.test(text)) found.push(text);
    ts.forEachChild(node, walk);
  };
  ts.forEachChild(source, walk);
  return found;
};

/** Texts of some folders, those of elements of pages put together. */
const textsIn = (
  folders: readonly string[],
  read: (file: string) => readonly string[],
): readonly Text[] =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('openapi.ts'))
      .flatMap((file) =>
        read(join(ROOT, folder, file)).map((text) => ({ file: `${folder}/${file}`, text })),
      ),
  );

export const saidByTheApi = (): readonly Text[] => textsIn(SAYING, literalsIn);

/** Of the console, by block of its pages. */
export const saidByTheConsole = (): readonly Text[] =>
  textsIn(['console/src'], (file) => [...literalsIn(file), ...blocksIn(file)]);

/** Of the pages outside of the console, and of mails. */
export const saidByPages = (): readonly Text[] =>
  textsIn(['layers/pages', 'layers/accounts', 'layers/oauth', 'layers/mcp/pages'], (file) =>
    literalsIn(file).map((text) =>
      text
        .replaceAll(/<\/?(?:strong|bdi|a|code|span)\b[^>]*>/g, '')
        .replaceAll(/<[^>]*>/g, ' . ')
        .replaceAll(/\{\{[^}]*\}\}/g, '…'),
    ),
  );

/** Elements within a sentence. */
const INLINE = new Set(['strong', 'code', 'em', 'a', 'span', 'bdi', 'Link', 'Time', 'Copy']);

const blocksIn = (file: string): readonly string[] => {
  const source = parsed(file);
  const isInline = (node: ts.JsxElement | ts.JsxFragment): boolean =>
    ts.isJsxFragment(node) || INLINE.has(node.openingElement.tagName.getText(source));
  const inline = (node: ts.Node): string => {
    if (ts.isJsxText(node)) return node.text;
    if (ts.isJsxExpression(node)) return node.expression ? (textOf(node.expression) ?? '…') : '';
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      return isInline(node) ? node.children.map(inline).join('') : ' . ';
    }
    return '…';
  };
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      found.push(node.children.map(inline).join(''));
    }
    ts.forEachChild(node, walk);
  };
  ts.forEachChild(source, walk);
  return found;
};
