import type { JsonObject } from '../../platform/rules/json/json.ts';
import type { Argument } from '../operation/argument.ts';
import type { ChangeAt } from './argument-notes.ts';
import { type Emission, type EmitOptions, isTooLarge, startEmission } from './emission.ts';
import { emitSchema } from './emit-schema.ts';
import { describedOnly } from './merged-members.ts';
import type { Omissions } from './omissions.ts';

export interface EmittedSchema {
  readonly inputSchema: JsonObject;
  /** See `Operation.wireNames`. */
  readonly wireNames: Readonly<Record<string, string>>;
  readonly omissions: Omissions;
  readonly changes: readonly ChangeAt[];
}

/**
 * Emits the arguments of one tool as its `inputSchema`.
 *
 * @returns undefined if that takes more than `maxCharacters`
 */
export const emitInputSchema = (
  options: EmitOptions,
  args: readonly Argument[],
): EmittedSchema | undefined => {
  const emission = startEmission(options);
  const properties = args.map(({ name, schema, required, isBody = false }) => {
    const isRequired = required || isBody;
    const position = { pointer: `/properties/${name}`, depth: 0, isRequired };
    return [name, emitSchema(emission, schema, position)] as const;
  });
  const definitions = emitDefinitions(emission);
  options.spend(emission.characters);
  if (isTooLarge(emission)) return undefined;

  const { changes, omissions, wireNames } = emission;
  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  const merged = args.filter((argument) => argument.isMerged).map(({ name }) => name);
  return {
    inputSchema: describedOnly(merged, {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      ...(definitions.length > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
    }),
    wireNames: Object.fromEntries(wireNames),
    omissions,
    changes,
  };
};

/** Definitions lead to further ones, which come after them. */
const emitDefinitions = (emission: Emission): readonly (readonly [string, JsonObject])[] => {
  const { definitions, schemas } = emission;
  const emitted: (readonly [string, JsonObject])[] = [];
  for (let next = definitions.next(); next; next = definitions.next()) {
    const { ref, name, position } = next;
    const { depth, isRequired } = position;
    const start = { pointer: `/$defs/${name}`, depth, isRequired, requiredBy: ref };
    emitted.push([name, emitSchema(emission, schemas.component(ref), start)]);
  }
  return emitted;
};
