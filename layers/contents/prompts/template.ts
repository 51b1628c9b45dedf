import { type Condition, type Cursor, type Expression, readTag } from './tag.ts';
import { TemplateError } from './template-error.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { applyFilter } from './filters.ts';

export type Template = readonly TemplateNode[];

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly expression: Expression }
  | ({
      readonly kind: 'if';
      readonly whenTrue: Template;
      readonly whenFalse: Template;
    } & Condition);

/** Depth of `{{#if}}` within `{{#if}}`; each `{{else if}}` counts. */
export const MAX_NESTING = 32;

/**
 * Reads a prompt's template, in time linear in its length.
 *
 * ```
 * template   = { text | "{{" expression "}}" | block }
 * block      = "{{#if" condition "}}" template { "{{else if" condition "}}" template } [ "{{else}}" template ] "{{/if}}"
 * condition  = expression [ "eq" string ]
 * expression = name { "|" filter }
 * filter     = "uppercase" | "lowercase" | "trim" | "capitalize" | "json" | "default" string
 * name       = characters other than space { } | ' " \, the first neither # nor /; `{{else}}` is no value
 * string     = in ' or ", with the escapes \' \" \\ \{ \} \n \t
 * ```
 *
 * Space within a tag is free. A tag of a block that stands alone on its line takes the line with it, as in Handlebars; all
 * other text outside tags is kept as it is. A single brace is text. Backslashes count only
 * directly before a brace: two of them are one backslash, and one that is left over makes the brace text. So `\{{a}}`
 * is the text `{{a}}`, and `\\{{a}}` is a backslash and the value of `a`.
 *
 * @throws TemplateError
 * Source: docs/decisions/mcp.md, "Prompt templates"; Handlebars, "Whitespace Control".
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
      continue;
    }
    takeLine(cursor, start, nodes);
    if (tag.kind === 'end') {
      let block = open.pop();
      if (!block) throw stray(text, start, tag.kind);
      nodes = closed(block, nodes);
      while (block?.isElse) {
        block = open.pop();
        if (block) nodes = closed(block, nodes);
      }
      continue;
    }
    if (tag.kind !== 'if') {
      const block = open.at(-1);
      if (!block || block.whenTrue) throw stray(text, start, 'else');
      block.whenTrue = nodes;
      nodes = [];
    }
    if (tag.kind !== 'else') {
      if (open.length === MAX_NESTING) throw tooDeep(text, start);
      const { condition, equals } = tag;
      const isElse = tag.kind === 'else-if';
      open.push({ condition, equals, isElse, start, before: nodes, whenTrue: undefined });
      nodes = [];
    }
  }

  const unclosed = open.at(-1);
  if (unclosed) throw neverClosed(text, unclosed.start);
  return nodes;
};

/** Undeclared arguments that a template uses, each once, in order of first use. */
export const unknownArguments = (template: Template, declared: readonly string[]): string[] => {
  const known = new Set(declared);
  return Array.from(new Set(usedArguments(template))).filter((name) => !known.has(name));
};

interface OpenBlock extends Condition {
  readonly start: number;
  /** Whether it is an `{{else if}}`, which the `{{/if}}` of its block closes too. */
  readonly isElse: boolean;
  readonly before: TemplateNode[];
  whenTrue: TemplateNode[] | undefined;
}

const closed = ({ condition, equals, before, whenTrue }: OpenBlock, last: TemplateNode[]) => {
  const branches = whenTrue ? { whenTrue, whenFalse: last } : { whenTrue: last, whenFalse: [] };
  before.push({ kind: 'if', condition, equals, ...branches });
  return before;
};

const LINE_END = /[ \t]*(?:\r?\n|$)/y;

/** Removes the rest of a line that holds nothing but the tag that was just read. */
const takeLine = (cursor: Cursor, start: number, nodes: TemplateNode[]): void => {
  const { text } = cursor;
  let first = start;
  while (text[first - 1] === ' ' || text[first - 1] === '\t') first -= 1;
  if (first > 0 && text[first - 1] !== '\n') return;
  LINE_END.lastIndex = cursor.at;
  if (!LINE_END.test(text)) return;
  cursor.at = LINE_END.lastIndex;
  const before = nodes.at(-1);
  if (first === start || before?.kind !== 'text') return;
  nodes[nodes.length - 1] = { kind: 'text', text: before.text.slice(0, first - start) };
};

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

/**
 * Characters that one rendering may write and filter: a template can repeat an argument, and `json` doubles its input.
 */
export const MAX_RENDERED_CHARACTERS = 1_048_576;

/**
 * Fills in arguments. Values are text, never read as template. A missing argument is empty, and an empty value makes a
 * condition false.
 *
 * @throws RpcRefusal `invalid_params` beyond `MAX_RENDERED_CHARACTERS`
 */
export const renderTemplate = (
  template: Template,
  args: Readonly<Record<string, string>>,
): string => {
  const pieces: string[] = [];
  let left = MAX_RENDERED_CHARACTERS;

  const spend = (text: string): string => {
    left -= text.length;
    if (left < 0) throw tooLong();
    return text;
  };
  const valueOf = ({ argument, filters }: Expression): string =>
    filters.reduce(
      (value, filter) => applyFilter(filter, spend(value)),
      (Object.hasOwn(args, argument) && args[argument]) || '',
    );
  const holds = (node: TemplateNode & { kind: 'if' }): boolean => {
    const value = valueOf(node.condition);
    return node.equals === undefined ? value !== '' : value === node.equals;
  };
  const write = (nodes: Template): void => {
    for (const node of nodes) {
      if (node.kind === 'text') pieces.push(spend(node.text));
      else if (node.kind === 'value') pieces.push(spend(valueOf(node.expression)));
      else write(holds(node) ? node.whenTrue : node.whenFalse);
    }
  };

  write(template);
  return pieces.join('');
};

const tooLong = () =>
  new RpcRefusal(
    'invalid_params',
    `The prompt would be longer than ${MAX_RENDERED_CHARACTERS} characters; send shorter arguments.`,
  );
