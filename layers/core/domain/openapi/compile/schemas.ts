import type { Change } from '../../tool-note.ts';
import { type Description, isObject, type Json, type JsonObject, member } from '../document.ts';
import { alternativesOf } from './alternatives.ts';
import { annotationsOf, discriminatorNote, wordChanges } from './annotations.ts';
import { arrayKeywords } from './array-keywords.ts';
import { discriminated } from './discriminated.ts';
import { type FlatSchemas, flatSchemas } from './flat-schema.ts';
import { heirsIn } from './heirs.ts';
import { heritage, type Heritage, NO_HEIRS } from './heritage.ts';
import { kindRef } from './kinds.ts';
import { ANYTHING, type LinkedSchema } from './linked-schema.ts';
import { leafSchema } from './leaf-schema.ts';
import { listOf, merge } from './merge-schemas.ts';
import { objectKeywords } from './object-keywords.ts';
import { patternReader } from './pattern.ts';
import { dynamicRef, refOf } from './reference-of.ts';
import { rulesInWords } from './rules-in-words.ts';
import { scalarKeywords } from './scalar-keywords.ts';
import { textOf } from './texts.ts';
import { isNullable, readTypes } from './types.ts';

const NULL: LinkedSchema = { keywords: { type: 'null' } };

/** The schemas of one description, as a request needs them. Each is translated once. */
export interface Schemas {
  readonly linked: (schema: Json | undefined) => LinkedSchema;
  /** The same, but never a reference: what the schema is made of. */
  readonly opened: (schema: Json | undefined) => LinkedSchema;
  /** What a reference of a linked schema stands for. */
  readonly component: (ref: string) => LinkedSchema;
  /** A schema's own keywords with `$ref` and `allOf` merged into them, still as the description has them. */
  readonly flat: FlatSchemas['flat'];
  /** How many of the schemas so far are composed of too much to be told, and taken for any value. */
  readonly cutCount: () => number;
}

/** Source: tools.md, "inputSchema". */
export const schemasOf = (description: Description): Schemas => {
  const { root, dialect } = description;
  const heirsOf = heirsIn(description);
  const siblingsCount = dialect === 'openapi-3.1' || dialect === 'openapi-3.2';
  const flats = flatSchemas(root, siblingsCount);
  /** A number while it is translated: how many were known before. */
  const known = new Map<JsonObject, LinkedSchema | number>();
  const knownOpened = new Map<JsonObject, LinkedSchema>();
  const components = new Map<string, LinkedSchema>();
  const kinds = new Map<string, JsonObject>();
  const parts: LinkedSchema[] = [];
  const cut = new Set<JsonObject>();
  const safe = patternReader();
  /** The component being translated, which `$dynamicRef` and its elders mean by `#`. */
  let current: string | undefined;

  const linked = (schema: Json | undefined): LinkedSchema => {
    if (!isObject(schema)) return ANYTHING;
    const before = known.get(schema);
    // Until it is translated, what leads back to it from inside sees a reference.
    if (typeof before === 'number') return { ref: partRef(before), keywords: {} };
    if (before) return before;
    const part = known.size;
    known.set(schema, part);
    const made = reference(schema) ?? opened(schema);
    known.set(schema, made);
    parts[part] = made;
    return made;
  };

  const opened = (schema: Json | undefined): LinkedSchema => {
    if (!isObject(schema)) return ANYTHING;
    const before = knownOpened.get(schema);
    if (before) return before;
    const ref = refOf(schema, siblingsCount);
    const made = leafSchema(schema) ?? within(ref, () => translated(schema, flats.flat(schema)));
    knownOpened.set(schema, made);
    return made;
  };

  const component = (ref: string): LinkedSchema => {
    const before = components.get(ref) ?? parts[partOf(ref)];
    if (before) return before;
    const made = within(ref, () => linked(kinds.get(ref) ?? flats.target(ref)?.schema));
    components.set(ref, made);
    return made;
  };

  /** As `linked`, but what is made of a component and its kind is a reference as well. */
  const linkedKind = (schema: Json): LinkedSchema => {
    const ref = kindRef(schema);
    if (ref === undefined || !isObject(schema)) return linked(schema);
    kinds.set(ref, kinds.get(ref) ?? schema);
    return { ref, keywords: {} };
  };

  const within = (ref: string | undefined, translate: () => LinkedSchema): LinkedSchema => {
    const outer = current;
    current = ref ?? current;
    const made = translate();
    current = outer;
    return made;
  };

  /** The schema as a reference with texts of its own, if it is no more than that. */
  const reference = (schema: JsonObject): LinkedSchema | undefined => {
    const ref = refOf(schema, siblingsCount) ?? dynamicRef(root, schema, current);
    const target = ref === undefined ? undefined : flats.target(ref);
    if (!target || !isObject(target.schema) || flats.leadsBack(schema, target.schema))
      return undefined;
    // Most say nothing of their own: then a long list of values need not be looked through each time.
    const isBare = Object.keys(schema).length === 1;
    const texts = annotationsOf(schema, isBare ? [] : readTypes(flats.flat(target.schema)));
    if (!isNullable(schema)) return { ref: target.ref, ...texts };
    return { ...texts, many: { anyOf: [{ ref: target.ref, keywords: {} }, NULL] } };
  };

  const translated = (origin: JsonObject, flat: JsonObject): LinkedSchema => {
    const choice = alternativesOf(flat, (alternative) =>
      flats.alternativeLeadsBack(alternative, origin),
    );
    if (choice.only) {
      const { anyOf: _, allOf, ...rest } = flat;
      const nullable = choice.orNull ? { nullable: true } : {};
      const merged = { ...rest, ...nullable, allOf: [...listOf(allOf), choice.only] };
      return translated(origin, flats.flat(merged));
    }
    const schema = choice.values ? { ...flat, ...valuesWithin(flat, choice.values) } : flat;
    const types = readTypes(schema);
    const scalars = scalarKeywords(schema, types, safe);
    const texts = annotationsOf(schema, types);
    const allOf = listOf(member(schema, 'allOf')).map(linked);
    const kindOf = discriminated(flats.flat, schema);
    const inherited = choice.anyOf.length === 0 ? fromHeirs(origin) : NO_HEIRS;
    const anyOf = [...choice.anyOf.map((one) => labelled(one, kindOf(one))), ...inherited.anyOf];
    if (anyOf.length > 0 && isNullable(schema) && !choice.orNull) anyOf.push(NULL);
    const isOpen = anyOf.length + allOf.length + inherited.notes.length > 0;
    const object = types.includes('object')
      ? objectKeywords({ linked, flat: flats.flat }, schema, isOpen)
      : undefined;
    const array = types.includes('array') ? arrayKeywords(linked, schema) : undefined;
    const notes = [
      ...(texts.notes ?? []),
      ...scalars.notes,
      ...choice.notes,
      ...inherited.notes,
      ...discriminatorNote(schema),
      ...rulesInWords(schema),
    ];
    const isCut = choice.isCut === true || flats.isCut(origin);
    if (isCut) cut.add(origin);
    const changes = [
      ...(isCut ? [CUT] : []),
      ...(listOf(member(origin, 'allOf')).length > 0 ? [MERGED] : []),
      ...(anyOf.length > 0 && Object.hasOwn(origin, 'oneOf') ? [EITHER] : []),
      ...(object?.changes ?? []),
      ...scalars.changes,
      ...wordChanges(schema),
    ];
    return {
      ...texts,
      ...object,
      ...(notes.length > 0 ? { notes } : {}),
      ...(changes.length > 0 ? { changes } : {}),
      keywords: {
        ...scalars.keywords,
        ...object?.keywords,
        ...array?.keywords,
        ...(inherited.notes.length > 0 ? { additionalProperties: true } : {}),
      },
      one: { ...object?.one, ...array?.one },
      many: {
        ...array?.many,
        ...(anyOf.length > 0 ? { anyOf } : {}),
        ...(allOf.length > 0 ? { allOf } : {}),
      },
    };
  };

  const fromHeirs = (origin: JsonObject): Heritage => {
    const ref = refOf(origin, siblingsCount);
    const self = ref === undefined ? origin : (flats.target(ref)?.schema ?? null);
    return heritage(heirsOf(self), linkedKind);
  };

  /** The title of an alternative often says best which one it is; elsewhere titles repeat names. */
  const labelled = (alternative: Json, kind: Json): LinkedSchema => {
    const schema = linkedKind(kind);
    const title = isObject(alternative) ? textOf(alternative, 'title') : undefined;
    return title === undefined ? schema : { description: title, ...schema };
  };

  return { linked, opened, component, flat: flats.flat, cutCount: () => cut.size };
};

/** Of the values of the alternatives those that the schema itself allows, if it lists any. */
const valuesWithin = (
  { enum: own }: JsonObject,
  values: JsonObject | undefined,
): JsonObject | undefined =>
  own === undefined || values === undefined ? values : merge({ enum: own }, values);

const CUT: Change = {
  what: 'taken for any value',
  why: 'it is composed of more than 500 alternatives, or more than 100 levels deep',
};

const MERGED: Change = {
  what: 'allOf is merged',
  why: 'models fill one schema more surely than several that hold together',
};

const EITHER: Change = {
  what: 'oneOf has become anyOf',
  why: 'model APIs know anyOf; where alternatives overlap, oneOf would refuse what the API takes',
};

/** A name for a schema that is no component and contains itself, by the order of translation. */
const partRef = (part: number): string => `${PART}${part}`;
const partOf = (ref: string): number =>
  ref.startsWith(PART) ? Number(ref.slice(PART.length)) : -1;
const PART = '#/recursion/Part';
