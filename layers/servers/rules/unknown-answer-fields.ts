import { isObject, type Json, member } from '../../platform/rules/json/json.ts';
import { keysOf, pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { CompiledTool } from '../../openapi/tool-index.ts';
import type { ToolOutput } from '../../openapi/tool-output.ts';
import { overrideOf } from './apply-overrides.ts';
import type { ToolOverrides } from './publication.ts';

const MOST_NAMED = 10;

/**
 * Warns of members that an owner wants of answers and that no described answer has. Where the description says nothing of
 * a place, nothing is said: a trial tells what an answer has.
 *
 * @param outputOf - what is described of the answers of an operation, as an output schema
 *
 * Source: docs/tools.md, "Members of answers".
 */
export const unknownAnswerFields = (
  tools: readonly CompiledTool[],
  overrides: ToolOverrides = {},
  outputOf: (operation: CompiledTool['operation']) => ToolOutput | undefined,
): readonly Finding[] =>
  tools.flatMap((tool) => {
    const { keys = [], override } = overrideOf(tool, overrides) ?? {};
    const output = override?.answerFields && outputOf(tool.operation);
    if (!output) return [];
    return override.answerFields.flatMap((pointer, index) => {
      const known = namesWhereUnknown(output, pointer);
      return known ? [unknown(keys[0] ?? '', index, pointer, tool.name, known)] : [];
    });
  });

/** @returns what is described in the place where a pointer leaves the description; undefined where it does not */
const namesWhereUnknown = (
  { schema, result, hasObjects, names }: ToolOutput,
  pointer: string,
): readonly string[] | undefined => {
  // An object or something else: one look does not tell which is meant.
  if (result !== undefined && hasObjects) return undefined;
  const own = new Set<string>(Object.values(names));
  const root = JSON.parse(schema) as Json;
  let at: Json | undefined = result === undefined ? root : inside(root, 'properties', result);
  for (const key of keysOf(pointer)) {
    const types = isObject(at) ? [member(at, 'type')].flat() : [];
    if (!isObject(at) || types.length === 0 || types[0] === undefined) return undefined;
    const properties = member(at, 'properties');
    const items = member(at, 'items');
    if (types.includes('array')) {
      if (types.includes('object') || !isObject(items)) return undefined;
      if (key !== '*' && !/^\d+$/.test(key)) return ['elements of a list'];
      at = items;
    } else if (types.includes('object')) {
      if (!isObject(properties)) return undefined;
      const described = Object.keys(properties).filter((name) => at !== root || !own.has(name));
      if (key === '*' || described.length === 0) return undefined;
      if (!described.includes(key)) return described;
      at = member(properties, key);
    } else {
      return [types.filter((type) => type !== 'null').join(' or ')];
    }
  }
  return undefined;
};

const inside = (schema: Json, ...keys: readonly string[]): Json | undefined =>
  keys.reduce<Json | undefined>((at, key) => (isObject(at) ? member(at, key) : undefined), schema);

const unknown = (
  key: string,
  index: number,
  pointer: string,
  tool: string,
  known: readonly string[],
): Finding => {
  const more = known.length > MOST_NAMED ? ', and more' : '';
  return {
    where: pointerTo('overrides', key, 'answer_fields', String(index)),
    what: `${JSON.stringify(pointer)} is in no answer of ${tool} that the description knows`,
    hint: `It has there: ${known.slice(0, MOST_NAMED).join(', ').slice(0, 300)}${more}. Try the tool to see what its answers hold, and mend the pointer.`,
  };
};
