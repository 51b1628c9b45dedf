import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectMember } from '../../platform/rules/json/members.ts';
import { readTypes, valuesOf } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';

/** Characters of an outline. */
const MOST = 1500;
/** Nesting levels, tried from deep to shallow until the outline fits. */
const DEPTHS = [8, 4, 2, 1];
const MOST_VALUES = 6;
/** Limit, since recursive components could make millions. */
const MOST_ELEMENTS = 150;

/**
 * Outline of an XML body for a model that writes it: elements and attributes as the schema names them, types or values
 * as their text, `…` for repetitions and omissions. As deep as fits; undefined where the root element has no name, or
 * nothing fits.
 * Source: OpenAPI 3.1.1, "XML Object".
 */
export type XmlOutline = (schema: Json | undefined) => string | undefined;

export const xmlOutliner = (schemas: Pick<Schemas, 'flat'>): XmlOutline => {
  const known = new Map<Json, string | undefined>();
  return (schema) => {
    if (!isObject(schema)) return undefined;
    const key = Object.keys(schema).length === 1 ? (member(schema, '$ref') ?? schema) : schema;
    if (!known.has(key)) known.set(key, outlineOf(schemas, schema));
    return known.get(key);
  };
};

const outlineOf = (schemas: Pick<Schemas, 'flat'>, schema: JsonObject): string | undefined => {
  const root = rootOf(schemas, schema);
  if (root === undefined) return undefined;
  for (const depth of DEPTHS) {
    const outline = elementsOf(schemas, root.name, root.schema, depth);
    if (outline !== undefined && outline.length <= MOST) return outline;
  }
  return undefined;
};

/** Root element: named by its schema, its component, or the only property of an unnamed object. */
const rootOf = (schemas: Pick<Schemas, 'flat'>, schema: JsonObject) => {
  const flat = schemas.flat(schema);
  const ref = member(schema, '$ref');
  const component = typeof ref === 'string' ? ref.split('/').at(-1) : undefined;
  const name = nameIn(flat) ?? component;
  if (name !== undefined) return { name, schema };
  const properties = Object.entries(objectMember(flat, 'properties'));
  const [[only, inside] = []] = properties;
  return only !== undefined && properties.length === 1 && isObject(inside)
    ? { name: only, schema: inside }
    : undefined;
};

/** @returns undefined for too many elements */
const elementsOf = (
  schemas: Pick<Schemas, 'flat'>,
  rootName: string,
  rootSchema: JsonObject,
  deepest: number,
): string | undefined => {
  let count = 0;
  /** `properties` of the enclosing elements, to stop recursion. */
  const open = new Set<JsonObject>();

  const element = (name: string, schema: JsonObject, depth: number): string => {
    count += 1;
    if (count > MOST_ELEMENTS) return '';
    const flat = schemas.flat(schema);
    const { wrapped } = xmlOf(flat);
    const items = member(flat, 'items');
    if (!readTypes(flat).includes('array')) return tagged(name, flat, inside(flat, depth));
    if (!isObject(items)) return '…';
    const outer = wrapped === true ? (nameIn(flat) ?? name) : name;
    const inner = `${element(outer, items, wrapped === true ? depth + 1 : depth)}…`;
    return wrapped === true ? tagged(name, flat, { text: inner, attributes: '' }) : inner;
  };

  const inside = (flat: JsonObject, depth: number): Inside => {
    const described = objectMember(flat, 'properties');
    if (Object.keys(described).length > MOST_ELEMENTS) count = Infinity;
    if (count > MOST_ELEMENTS) return { text: '', attributes: '' };
    const properties = Object.entries(described).flatMap(([name, property]) =>
      isObject(property) && member(schemas.flat(property), 'readOnly') !== true
        ? [{ name, property, isAttribute: xmlOf(schemas.flat(property)).attribute === true }]
        : [],
    );
    if (properties.length === 0) return { text: contentOf(flat), attributes: '' };
    if (depth >= deepest || open.has(described)) return { text: '…', attributes: '' };
    open.add(described);
    const attributes = properties.map(({ name, property, isAttribute }) => {
      const schema = schemas.flat(property);
      return isAttribute ? ` ${fullName(name, schema)}="${contentOf(schema)}"` : '';
    });
    const elements = properties.map(({ name, property, isAttribute }) =>
      isAttribute ? '' : element(name, property, depth + 1),
    );
    open.delete(described);
    return { text: elements.join(''), attributes: attributes.join('') };
  };

  const outline = element(rootName, rootSchema, 0);
  return count > MOST_ELEMENTS ? undefined : outline;
};

interface Inside {
  readonly text: string;
  readonly attributes: string;
}

const tagged = (name: string, flat: JsonObject, { text, attributes }: Inside): string => {
  const tag = fullName(name, flat);
  return `<${tag}${namespaceOf(flat)}${attributes}>${text}</${tag}>`;
};

const fullName = (name: string, flat: JsonObject): string => {
  const { prefix } = xmlOf(flat);
  const own = nameIn(flat) ?? name;
  return typeof prefix === 'string' && prefix !== '' ? `${prefix}:${own}` : own;
};

const namespaceOf = (flat: JsonObject): string => {
  const { namespace, prefix } = xmlOf(flat);
  if (typeof namespace !== 'string') return '';
  return ` xmlns${typeof prefix === 'string' && prefix !== '' ? `:${prefix}` : ''}="${namespace}"`;
};

const contentOf = (flat: JsonObject): string => {
  const values = valuesOf(flat);
  if (values) {
    const some = values.slice(0, MOST_VALUES).map(String).join('|');
    return values.length > MOST_VALUES ? `${some}|…` : some;
  }
  const [type = '…'] = readTypes(flat).filter((one) => one !== 'null');
  const format = member(flat, 'format');
  if (type === 'object') return '…';
  return typeof format === 'string' && TOLD_FORMATS.has(format) ? format : type;
};

const TOLD_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'time', 'uuid', 'uri']);

const xmlOf = (flat: JsonObject): JsonObject => objectMember(flat, 'xml');

const nameIn = (flat: JsonObject): string | undefined => {
  const { name } = xmlOf(flat);
  return typeof name === 'string' && name !== '' ? name : undefined;
};
