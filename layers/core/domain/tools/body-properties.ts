import type { BodySource } from '../tool-index.ts';
import { invalidArgument } from './invalid-arguments.ts';
import { isObject, own } from './json.ts';
import type { PreparedTool } from './prepare-tool.ts';
import type { Arguments } from './read-arguments.ts';
import { propertyShape, type Shape } from './shape.ts';
import { onTheWire, wireNameOf } from './wire-names.ts';

/** A property of a body that is an object. */
export interface BodyProperty {
  /** On the wire. */
  readonly name: string;
  /** With the names on the wire. */
  readonly value: unknown;
  /** Where it stands among the arguments. */
  readonly keys: readonly string[];
  readonly shape: Shape | undefined;
}

/** The argument that a property is of, and its name on the wire. */
export const sentAs = ({ keys: [argument = ''], name }: BodyProperty) => ({ argument, name });

/**
 * The properties that a call gives its body.
 *
 * @throws RpcRefusal if the one argument that is the body is not an object
 */
export const bodyProperties = (
  tool: PreparedTool,
  source: BodySource,
  args: Arguments,
): readonly BodyProperty[] => {
  if (source.kind === 'properties') {
    const named = new Map(source.properties.map(({ argument, name }) => [argument, name]));
    const further = Object.keys(args).filter((name) => !tool.argumentNames.has(name));
    return [...named, ...(source.additional ? further.map((name) => [name, name] as const) : [])]
      .filter(([argument]) => own(args, argument) !== undefined)
      .map(([argument, name]) =>
        propertyOf(tool, tool.shape, [], argument, own(args, argument), name),
      );
  }

  const body = own(args, source.argument);
  if (body === undefined || body === null) return [];
  if (!isObject(body)) throw invalidArgument([source.argument], 'must be an object');
  const shape = tool.shape && propertyShape(tool.shapes, tool.shape, source.argument);
  return Object.entries(body).map(([key, value]) => {
    const name = shape && tool.wireNames ? wireNameOf(tool.wireNames, shape, key) : key;
    return propertyOf(tool, shape, [source.argument], key, value, name);
  });
};

/** The one argument that is the whole body, with the names on the wire. */
export const wholeBody = (tool: PreparedTool, argument: string, args: Arguments): unknown =>
  propertyOf(tool, tool.shape, [], argument, own(args, argument), argument).value;

const propertyOf = (
  tool: PreparedTool,
  parent: Shape | undefined,
  above: readonly string[],
  key: string,
  value: unknown,
  name: string,
): BodyProperty => {
  const shape = parent && propertyShape(tool.shapes, parent, key);
  return {
    name,
    value: tool.wireNames ? onTheWire(tool.wireNames, tool.shapes, shape, value) : value,
    keys: [...above, key],
    shape,
  };
};
