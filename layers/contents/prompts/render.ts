import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { applyFilter } from './filters.ts';
import type { Expression } from './tag.ts';
import type { Template, TemplateNode } from './template.ts';

/**
 * How many characters one rendering may write and put through filters, all together. It bounds time and memory:
 * a template can name one large argument many times, and `json` of `json` doubles what it is given.
 */
export const MAX_RENDERED_CHARACTERS = 1_048_576;

/**
 * Fills the arguments in. Values are text and never read as template; one that is missing is empty, and what is
 * empty does not hold as a condition.
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
