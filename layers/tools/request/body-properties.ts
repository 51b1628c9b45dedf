import type { BodySource, PropertyEncoding } from '../../openapi/tool-index.ts';
import { isObject, jsonText, member } from '../../platform/rules/json/json.ts';
import { argumentNameOf } from '../arguments/convert-value.ts';
import { invalidArgument } from '../arguments/invalid-arguments.ts';
import type { Arguments } from '../arguments/read-arguments.ts';
import { namesProperty, propertyShape, type Shape } from '../arguments/shape.ts';
import { isJsonType, type PreparedTool } from '../prepare-tool.ts';
import {
  AS_DJANGO,
  bareName,
  formEncode,
  IN_BRACKETS,
  type NestedNames,
  nestedPairs,
  type Pair,
  parameterPairs,
  reservedInForm,
  valueText,
  WITH_DOTS,
  type Written,
} from './parameter-pairs.ts';
import { rejectReserved, type Reserved } from './reserved-names.ts';

export interface BodyProperty {
  /** Wire name. */
  readonly name: string;
  /** Value with nested wire names. */
  readonly value: unknown;
  /** Path in the arguments. */
  readonly keys: readonly string[];
  readonly shape: Shape | undefined;
  readonly isNamed: boolean;
}

export const sentAs = ({ keys: [argument = ''], name }: BodyProperty) => ({ argument, name });

/** @throws RpcRefusal if the body argument is no object, or an undeclared property has a reserved name */
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

export type Encodings = Readonly<Record<string, PropertyEncoding>> | undefined;

/**
 * An `application/x-www-form-urlencoded` body. A property whose encoding has `style`, `explode` or `allowReserved` is
 * written like a query parameter, one with a JSON content type as JSON; otherwise lists repeat the name and objects are
 * JSON.
 * Source: OpenAPI 3.1.1, "Encoding Object", "Encoding the x-www-form-urlencoded Media Type".
 */
export const formBody = (
  tool: Reserved,
  properties: readonly BodyProperty[],
  encodings: Encodings,
): string =>
  properties
    .flatMap((property) => {
      const pairs = pairsOf(property, encodingOf(encodings, property.name));
      rejectReserved(tool, 'body', sentAs(property), pairs);
      return pairs;
    })
    .map(([name, value]) => `${formEncode(name)}=${value}`)
    .join('&');

export const encodingOf = (encodings: Encodings, name: string): PropertyEncoding =>
  (member(encodings ?? {}, name) as PropertyEncoding | undefined) ?? {};

/** Style of a property whose encoding has parameter keywords; undefined for any other. */
export const writtenAs = (encoding: PropertyEncoding): Written | undefined => {
  const { style, explode, allowReserved } = encoding;
  if (style === undefined && explode === undefined && allowReserved === undefined) return undefined;
  return { style: style ?? 'form', explode: explode ?? (style ?? 'form') === 'form' };
};

/** Names of the members of a property that are fields of their own; undefined if they are none. */
export const namesOfMembers = ({ members, style }: PropertyEncoding): NestedNames | undefined => {
  if (members !== undefined) return members === 'django' ? AS_DJANGO : WITH_DOTS;
  return style === 'deepObject' ? IN_BRACKETS : undefined;
};

const pairsOf = ({ name, value }: BodyProperty, encoding: PropertyEncoding): readonly Pair[] => {
  const written = writtenAs(encoding);
  const encode = encoding.allowReserved ? reservedInForm : formEncode;
  const names = namesOfMembers(encoding);
  if (names && typeof value === 'object' && value !== null) {
    return nestedPairs(bareName(name, value), value, names, encode);
  }
  if (written) return parameterPairs(name, value, written, encode);
  if (isJsonType(encoding.contentType ?? '')) return [[name, formEncode(jsonText(value))]];
  return [value]
    .flat()
    .filter((item) => item !== null && item !== undefined)
    .map((item) => [name, formEncode(valueText(item))]);
};
