import type { BodySource } from '../../openapi/tool-index.ts';
import { invalidArgument } from '../arguments/invalid-arguments.ts';
import { isObject, member } from '../../platform/rules/json/json.ts';
import type { PreparedTool } from '../prepare-tool.ts';
import type { Arguments } from '../arguments/read-arguments.ts';
import { namesProperty, propertyShape, type Shape } from '../arguments/shape.ts';
import { argumentNameOf } from '../arguments/wire-names.ts';

/** A property of a body that is an object. */
export interface BodyProperty {
  /** On the wire. */
  readonly name: string;
  /** With the names on the wire. */
  readonly value: unknown;
  /** Where it stands among the arguments. */
  readonly keys: readonly string[];
  readonly shape: Shape | undefined;
  /** Whether the description has a property of this name. */
  readonly isNamed: boolean;
}

/** The argument that a property is of, and its name on the wire. */
export const sentAs = ({ keys: [argument = ''], name }: BodyProperty) => ({ argument, name });

/**
 * The properties that a call gives its body.
 *
 * @throws RpcRefusal if the one argument that is the body is not an object, or one of those that the
 *   description does not name names something that callers may not set
 */
export const bodyProperties = (
  tool: PreparedTool,
  source: BodySource,
  args: Arguments,
): readonly BodyProperty[] => {
  const properties = propertiesOf(tool, source, args);
  for (const { name, keys, isNamed } of properties) {
    const isFixed = tool.withheld.has(keys[0] ?? '');
    if (!isNamed && !isFixed && tool.reservedNames.has('body', name)) {
      throw invalidArgument(keys, 'names something that callers may not set');
    }
  }
  return properties;
};

const propertiesOf = (
  tool: PreparedTool,
  source: BodySource,
  args: Arguments,
): readonly BodyProperty[] => {
  if (source.kind === 'properties') {
    const named = new Map(source.properties.map(({ argument, name }) => [argument, name]));
    const further = Object.keys(args).filter((name) => !tool.argumentNames.has(name));
    return [...named, ...(source.additional ? further.map((name) => [name, name] as const) : [])]
      .filter(([argument]) => member(args, argument) !== undefined)
      .map(([argument, name]) => ({
        name,
        value: member(args, argument),
        keys: [argument],
        shape: tool.shape && propertyShape(tool.shapes, tool.shape, argument),
        isNamed: named.has(argument),
      }));
  }

  const body = member(args, source.argument);
  if (body === undefined || body === null) return [];
  if (!isObject(body)) throw invalidArgument([source.argument], 'must be an object');
  const shape = tool.shape && propertyShape(tool.shapes, tool.shape, source.argument);
  return Object.entries(body).map(([name, value]) => {
    const key = argumentNameOf(tool.wireNames, shape?.views ?? [], name);
    return {
      name,
      value,
      keys: [source.argument, key],
      shape: shape && propertyShape(tool.shapes, shape, key),
      isNamed: shape !== undefined && namesProperty(shape, key),
    };
  });
};
