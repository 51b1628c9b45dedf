import { type Cursor, type Expression, readTag } from './tag.ts';
import { TemplateError } from './template-error.ts';

export type Template = readonly TemplateNode[];

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly expression: Expression }
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      /** Without it the condition holds if the value is not empty. */
      readonly equals: string | undefined;
      readonly whenTrue: Template;
      readonly whenFalse: Template;
    };

/** How deep `{{#if}}` may stand within `{{#if}}`. */
export const MAX_NESTING = 32;

/**
 * Reads a prompt's template, in time linear in its length.
 *
 * ```
 * template   = { text | "{{" expression "}}" | block }
 * block      = "{{#if" expression [ "eq" string ] "}}" template [ "{{else}}" template ] "{{/if}}"
 * expression = name { "|" filter }
 * filter     = "uppercase" | "lowercase" | "trim" | "capitalize" | "json" | "default" string
 * name       = characters other than space { } | ' " \, the first neither # nor /; `{{else}}` is no value
 * string     = in ' or ", with the escapes \' \" \\ \{ \} \n \t
 * ```
 *
 * Space within a tag is free; all text outside tags is kept as it is. A single brace is text. Backslashes count only
 * directly before a brace: two of them are one backslash, and one that is left over makes the brace text. So `\{{a}}`
 * is the text `{{a}}`, and `\\{{a}}` is a backslash and the value of `a`.
 *
 * @throws TemplateError
 * Source: spec, "MCP prompt".
 */
export const parseTemplate = (text: string): Template => {
  const cursor: Cursor = { text, at: 0 };
  const open: OpenBlock[] = [];
  let nodes: TemplateNode[] = [];

  for (;;) {
    const plain = readText(cursor);
    if (plain !== '') nodes.push({ kind: 'text', text: plain });
    if (cursor.at === text.length) break;

    const start = cursor.at;
    const tag = readTag(cursor);
    if (tag.kind === 'value') {
      nodes.push(tag);
    } else if (tag.kind === 'if') {
      if (open.length === MAX_NESTING) throw tooDeep(text, start);
      open.push({ ...tag, start, before: nodes, whenTrue: undefined });
      nodes = [];
    } else {
      const block = open.at(-1);
      if (!block) throw stray(text, start, tag.kind);
      if (tag.kind === 'else') {
        if (block.whenTrue) throw stray(text, start, tag.kind);
        block.whenTrue = nodes;
        nodes = [];
      } else {
        open.pop();
        nodes = closed(block, nodes);
      }
    }
  }

  const unclosed = open.at(-1);
  if (unclosed) throw neverClosed(text, unclosed.start);
  return nodes;
};

/**
 * Arguments that a template uses and a prompt does not declare, each once, in order of their first use.
 */
export const unknownArguments = (template: Template, declared: readonly string[]): string[] =>
  Array.from(new Set(usedArguments(template))).filter((name) => !declared.includes(name));

interface OpenBlock {
  readonly start: number;
  readonly condition: Expression;
  readonly equals: string | undefined;
  readonly before: TemplateNode[];
  whenTrue: TemplateNode[] | undefined;
}

const closed = ({ condition, equals, before, whenTrue }: OpenBlock, last: TemplateNode[]) => {
  const branches = whenTrue ? { whenTrue, whenFalse: last } : { whenTrue: last, whenFalse: [] };
  before.push({ kind: 'if', condition, equals, ...branches });
  return before;
};

/** Reads up to the next tag or the end. */
const readText = (cursor: Cursor): string => {
  const { text } = cursor;
  const pieces: string[] = [];
  let from = cursor.at;
  let at = from;
  while (at < text.length && !text.startsWith('{{', at)) {
    if (text[at] !== '\\') {
      at += 1;
      continue;
    }
    const start = at;
    while (text[at] === '\\') at += 1;
    if (text[at] !== '{' && text[at] !== '}') continue;
    const backslashes = at - start;
    pieces.push(text.slice(from, start + Math.floor(backslashes / 2)));
    from = at;
    at += backslashes % 2;
  }
  cursor.at = at;
  return pieces.join('') + text.slice(from, at);
};

const usedArguments = (template: Template): string[] =>
  template.flatMap((node) => {
    if (node.kind === 'text') return [];
    if (node.kind === 'value') return [node.expression.argument];
    return [
      node.condition.argument,
      ...usedArguments(node.whenTrue),
      ...usedArguments(node.whenFalse),
    ];
  });

const tooDeep = (text: string, start: number) =>
  new TemplateError(
    text,
    start,
    `{{#if}} stands within more than ${MAX_NESTING - 1} others`,
    'nest conditions less deeply',
  );

const stray = (text: string, start: number, kind: 'else' | 'end') =>
  kind === 'end'
    ? new TemplateError(text, start, '{{/if}} has no {{#if}}', 'remove it or add the {{#if}}')
    : new TemplateError(text, start, '{{else}} has no {{#if}} of its own', 'remove it');

const neverClosed = (text: string, start: number) =>
  new TemplateError(text, start, 'this {{#if}} is never closed', 'add {{/if}}');
