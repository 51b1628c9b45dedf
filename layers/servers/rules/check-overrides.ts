import {
  type CompiledTool,
  type Operation,
  outputSchema,
  toIndexedTool,
} from '../../openapi/tool-index.ts';
import { overrideOf } from '../../deployments/rules/apply-overrides.ts';
import type { PublicationSettings, ToolOverrides } from '../../deployments/rules/publication.ts';
import { isObject, type Json, member } from '../../platform/rules/json/json.ts';
import {
  escapeToken,
  keysOf,
  pointerTo,
  unescapeToken,
} from '../../platform/rules/json/pointer.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { ToolOutput } from '../../openapi/tool-output.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { type Budget, fullBudget } from '../../tools/arguments/assertions.ts';
import { prepareTool } from '../../tools/prepare-tool.ts';
import { readArguments } from '../../tools/arguments/read-arguments.ts';

/**
 * @returns undefined if no tool has it, so that output schemas need not be compiled
 * Source: docs/tools.md, "Structured output".
 */
export const structuredTools = (
  publication: PublicationSettings,
): ((operation: Operation) => boolean) | undefined => {
  const { overrides = {} } = publication;
  const isOn = publication.structuredOutput === 'on';
  if (!isOn && !Object.values(overrides).some(({ structuredOutput: one }) => one === 'on')) {
    return undefined;
  }
  return (operation) => {
    const choice = overrideOf({ operation }, overrides)?.override.structuredOutput;
    return choice === undefined ? isOn : choice === 'on';
  };
};

const MOST_NAMED = 10;

/**
 * Warns of `answerFields` that no described answer has. Where the description does not describe a place, there is no
 * warning: a trial shows what answers hold.
 *
 * @param outputOf - output schema of an operation's answers, as described
 * Source: docs/tools.md, "Members of answers".
 */
export const unknownAnswerFields = (
  tools: readonly CompiledTool[],
  overrides: ToolOverrides = {},
  outputOf: (operation: CompiledTool['operation']) => ToolOutput | undefined,
): readonly Finding[] => {
  const lookup = pointerLookup();
  return tools.flatMap((tool) => {
    const { keys = [], override } = overrideOf(tool, overrides) ?? {};
    const output = override?.answerFields && outputOf(tool.operation);
    if (!output) return [];
    const known = lookup(output);
    return override.answerFields.flatMap((pointer, index) => {
      const names = known(pointer);
      return names ? [unknown(keys[0] ?? '', index, pointer, tool.name, names)] : [];
    });
  });
};

/** Memoizes lookups: thousands of operations may share one override and one response schema. */
const pointerLookup = (): ((
  output: ToolOutput,
) => (pointer: string) => readonly string[] | undefined) => {
  const lookups = new Map<ToolOutput, (pointer: string) => readonly string[] | undefined>();
  return (output) => {
    const before = lookups.get(output);
    if (before) return before;
    const root = outputSchema(output) as Json;
    const found = new Map<string, readonly string[] | undefined>();
    const lookup = (pointer: string) => {
      if (!found.has(pointer)) found.set(pointer, namesWhereUnknown(output, root, pointer));
      return found.get(pointer);
    };
    lookups.set(output, lookup);
    return lookup;
  };
};

/** @returns members that the schema has where the pointer leaves it; undefined if the pointer may match */
const namesWhereUnknown = (
  { result, hasObjects, names }: ToolOutput,
  root: Json,
  pointer: string,
): readonly string[] | undefined => {
  // The result may be an object or something else, and the pointer could mean either.
  if (result !== undefined && hasObjects) return undefined;
  const own = new Set<string>(Object.values(names));
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

/**
 * Checks that fixed arguments fit the described schemas. All of them share the budget of one call, since there may be
 * thousands of tools.
 *
 * @param described - the tools before the owner's overrides, `published` after them
 * @throws ApiRefusal invalid_request
 */
export const checkFixed = (
  described: readonly CompiledTool[],
  published: readonly CompiledTool[],
  overrides: ToolOverrides = {},
): void => {
  const budget = fullBudget();
  const originals = new Map(described.map((tool) => [keyOf(tool), tool]));
  const findings = published.flatMap((tool) => {
    const original = originals.get(keyOf(tool));
    return tool.fixed && original ? faultsOf(original, tool.fixed, overrides, budget) : [];
  });
  if (findings.length === 0) return;
  throw new ApiRefusal(
    'invalid_request',
    'Some fixed arguments do not fit the description.',
    findings,
  );
};

const keyOf = ({ operation: { method, path } }: CompiledTool): string => `${method} ${path}`;

/** Errors about the fixed arguments alone: those that callers give are unknown. */
const faultsOf = (
  tool: CompiledTool,
  fixed: object,
  overrides: ToolOverrides,
  budget: Budget,
): readonly Finding[] => {
  const own = overrideOf(tool, overrides)?.override.arguments ?? {};
  const where = `/overrides/${escapeToken(keyOf(tool))}/arguments`;
  try {
    readArguments(prepareTool(toIndexedTool(tool)), fixed, { budget });
    return [];
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    if (Object.values(budget).some((left) => left < 0)) throw tooMuch(where);
    const names = new Set(Object.keys(fixed).map(escapeToken));
    return errorsIn(error)
      .filter(({ path }) => names.has(path.split('/', 2)[1] ?? ''))
      .map(({ path, message }) =>
        Object.hasOwn(own, unescapeToken(path.split('/', 2)[1] ?? ''))
          ? { where: `${where}${path}`, what: message, hint: 'Fix another value.' }
          : {
              where: `/overrides/*/arguments${path}`,
              what: `${message} (in ${keyOf(tool)})`,
              hint: 'Fix another value, or one for this operation in an override of its own.',
            },
      );
  }
};

const tooMuch = (where: string): ApiRefusal =>
  new ApiRefusal('invalid_request', 'The fixed arguments take too long to be checked.', {
    where,
    what: 'up to here there is too much to check',
    hint: 'Fix fewer arguments, or smaller values.',
  });

const errorsIn = ({ data }: RpcRefusal) =>
  (data?.['errors'] ?? []) as readonly { readonly path: string; readonly message: string }[];
