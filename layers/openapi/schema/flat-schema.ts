import { applicatorReach } from '../json-schema/applicator-reach.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { resolveFragment } from '../../platform/rules/json/pointer.ts';
import { MAX_HOPS } from '../document.ts';
import { listOf, mergeAll } from './merge-schemas.ts';

export interface FlatSchemas {
  /**
   * The schema with its `$ref` followed and its `allOf` merged, one level deep: what it says about a
   * value is in its own keywords then. `oneOf` has become `anyOf`. What cannot be merged is left in
   * an `allOf` whose members must not be merged again.
   */
  readonly flat: (schema: JsonObject) => JsonObject;
  /** Whether an alternative leads back to the schema it is one of, without a property in between. */
  readonly alternativeLeadsBack: (alternative: Json, schema: JsonObject) => boolean;
  /** Whether a schema that stands for another one (`to`) is, without a property in between, part of it. */
  readonly leadsBack: (schema: JsonObject, to: Json) => boolean;
  /** Whether something of a schema is left out, since it is composed of too much. */
  readonly isCut: (schema: JsonObject) => boolean;
  /** What a `$ref` chain ends at, and the last `$ref` in it. */
  readonly target: (ref: string) => { readonly ref: string; readonly schema: Json } | undefined;
}

const MAX_CHAIN = 100;
const ALTERNATIVES = ['oneOf', 'anyOf'] as const;

/**
 * Merges compositions. Two properties of one name are joined by an `allOf` of their own. Members
 * that close themselves with `additionalProperties: false` are opened, since together with their
 * neighbours nothing would fit any more; real descriptions mean the union.
 *
 * @param allowsRefSiblings - whether keywords beside `$ref` are in force (3.1 and later)
 */
export const flatSchemas = (root: JsonObject, allowsRefSiblings: boolean): FlatSchemas => {
  const wholes = new Map<JsonObject, JsonObject>();
  const bases = new Map<JsonObject, JsonObject>();
  const inProgress = new Set<JsonObject>();
  const cut = new Set<JsonObject>();
  const inAnyWay = applicatorReach(root, ['allOf', ...ALTERNATIVES]);
  const byAlternatives = applicatorReach(root, ALTERNATIVES);

  const flat = (schema: JsonObject): JsonObject =>
    merging(schema, wholes, () => withOneListOfAlternatives(schema));

  /** Without alternatives: what a member of `oneOf` inherits from the schema that lists it. */
  const flatBase = (schema: JsonObject): JsonObject =>
    merging(schema, bases, () => without(schema, ALTERNATIVES));

  const merging = (
    schema: JsonObject,
    known: Map<JsonObject, JsonObject>,
    own: () => JsonObject,
  ): JsonObject => {
    const before = known.get(schema);
    if (before) return before;
    if (isFlat(schema)) return schema;
    // An `allOf` that leads back into itself says nothing more.
    if (inProgress.has(schema)) return {};
    if (inProgress.size > MAX_CHAIN) {
      for (const one of inProgress) cut.add(one);
      return {};
    }
    inProgress.add(schema);
    const { $ref, allOf, ...keywords } = own();
    const target = typeof $ref === 'string' ? resolveFragment(root, $ref) : undefined;
    const self = target === undefined || allowsRefSiblings ? keywords : annotationsOf(keywords);
    const members = [...(target === undefined ? [] : [target]), ...listOf(allOf)];
    const parts = members
      .filter(isObject)
      .map((part) => (reaches(part, schema) ? flatBase(part) : flat(part)));
    const merged = mergeAll([self, ...parts]);
    inProgress.delete(schema);
    known.set(schema, merged);
    return merged;
  };

  /** Whether `from` applies `to` to the very same value, or so many others that nobody can tell. */
  const reaches = (from: JsonObject, to: JsonObject, ways = inAnyWay): boolean => {
    const reached = ways(from, to);
    if (reached === 'unknown') cut.add(to);
    return reached !== 'no';
  };

  const circular = new Map<JsonObject, boolean>();
  const isCircular = (schema: JsonObject): boolean => {
    const known = circular.get(schema) ?? reaches({ ...schema }, schema);
    circular.set(schema, known);
    return known;
  };

  const target: FlatSchemas['target'] = (ref) => {
    let at = ref;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      const schema = resolveFragment(root, at);
      if (schema === undefined) return undefined;
      const next = isObject(schema) ? member(schema, '$ref') : undefined;
      const isPlain = isObject(schema) && Object.keys(schema).length === 1;
      if (typeof next !== 'string' || !isPlain) return { ref: at, schema };
      at = next;
    }
    return undefined;
  };

  return {
    flat,
    alternativeLeadsBack: (alternative, schema) =>
      isObject(alternative) && reaches(alternative, schema, byAlternatives),
    isCut: (schema) => cut.has(schema),
    leadsBack: (schema, to) => isObject(to) && isCircular(to) && reaches(to, schema),
    target,
  };
};

/** Most schemas are composed of nothing. */
export const isFlat = (schema: JsonObject): boolean =>
  schema['$ref'] === undefined &&
  schema['allOf'] === undefined &&
  schema['oneOf'] === undefined &&
  schema['anyOf'] === undefined;

const ANNOTATIONS: ReadonlySet<string> = new Set(
  'title summary description default example examples deprecated readOnly writeOnly nullable x-nullable xml externalDocs'.split(
    ' ',
  ),
);

/** Keywords that describe a schema without asking anything of a value. */
export const isAnnotation = (keyword: string): boolean =>
  ANNOTATIONS.has(keyword) || keyword.startsWith('x-');

const annotationsOf = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => isAnnotation(keyword)));

const without = (schema: JsonObject, keywords: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

/**
 * Alternatives may overlap in real descriptions, where `oneOf` would refuse what the API takes; and
 * model APIs know `anyOf`. A single alternative is no choice, so it is merged.
 */
const withOneListOfAlternatives = (schema: JsonObject): JsonObject => {
  const lists = ALTERNATIVES.map((keyword) => listOf(member(schema, keyword)));
  const [first, second] = lists.filter((list) => list.length > 1);
  const single = lists.filter((list) => list.length === 1).flat();
  const allOf = [
    ...listOf(member(schema, 'allOf')),
    ...single,
    ...(second ? [{ anyOf: second }] : []),
  ];
  return {
    ...without(schema, [...ALTERNATIVES, 'allOf']),
    ...(first ? { anyOf: first } : {}),
    ...(allOf.length > 0 ? { allOf } : {}),
  };
};
