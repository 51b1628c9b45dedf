import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';

/** By how many characters filled-in values may lengthen a document. */
export const MAX_FILLED_CHARACTERS = 1_048_576;

/**
 * Fills the variables of a resource's uri into its content: `{{name}}`, as in prompts, stands for the value. All else,
 * other names in double braces included, stays as it is: a document may be about templates. Values are never read as
 * template.
 *
 * @throws RpcRefusal `invalid_params` beyond `MAX_FILLED_CHARACTERS`
 * Source: docs/protocol.md, "Resources".
 */
export const fill = (content: string, variables: Readonly<Record<string, string>>): string => {
  let left = MAX_FILLED_CHARACTERS;
  return content.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (place, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) return place;
    left -= value.length;
    if (left < 0) throw new RpcRefusal('invalid_params', 'The filled-in document is too long.');
    return value;
  });
};
