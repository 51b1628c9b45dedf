import { isObject, type Json, type JsonObject } from '../../platform/rules/json/json.ts';
import { patternReader } from '../json-schema/safe-pattern.ts';
import type { Description } from '../document.ts';
import { annotationsOf } from './keywords.ts';
import {
  discriminateAlternative,
  discriminatedRef,
  discriminatorOf,
  inheritedDiscriminator,
  subtypeAlternatives,
  subtypeFinder,
} from './subtypes.ts';
import { dynamicRef, flatSchemas, type FlatSchemas, refOf } from './flat-schema.ts';
import { ANYTHING, type LinkedSchema } from './linked-schema.ts';
import { tidyText } from './texts.ts';
import { NULL, type SchemaReader, translateKeywords } from './translate-keywords.ts';
import { isNullable, readTypes } from '../json-schema/types.ts';

/** Schemas of one description, translated for requests. Each is translated once. */
export interface Schemas {
  readonly translate: (schema: Json | undefined) => LinkedSchema;
  /** As `translate`, with the root's reference resolved. */
  readonly translateTarget: (schema: Json | undefined) => LinkedSchema;
  readonly component: (ref: string) => LinkedSchema;
  /** The described schema with `$ref` and `allOf` merged. */
  readonly flat: FlatSchemas['flat'];
  /** Number of schemas that accept any value because they are composed of too many others. */
  readonly cutCount: () => number;
}

/** Source: docs/tools.md, "Input schema". */
export const schemaTranslator = (description: Description): Schemas => {
  const translation = startTranslation(description);
  return {
    translate: (schema) => translate(translation, schema),
    translateTarget: (schema) => translateTarget(translation, schema),
    component: (ref) => translateComponent(translation, ref),
    flat: translation.flats.flat,
    cutCount: () => translation.cut.size,
  };
};

interface Translation {
  readonly root: JsonObject;
  readonly allowsRefSiblings: boolean;
  readonly flats: FlatSchemas;
  readonly reader: SchemaReader;
  /** Cache; a number, the order of its start, while the translation runs. */
  readonly schemas: Map<JsonObject, LinkedSchema | number>;
  readonly targets: Map<JsonObject, LinkedSchema>;
  readonly components: Map<string, LinkedSchema>;
  /** Components restricted to discriminator values, by reference. */
  readonly discriminated: Map<string, JsonObject>;
  /** Schemas that are no components, in order of translation. */
  readonly parts: LinkedSchema[];
  readonly cut: Set<JsonObject>;
  /** Current component, to which `$recursiveRef` and `$dynamicRef` refer. */
  current: string | undefined;
}

const startTranslation = (description: Description): Translation => {
  const { root, dialect } = description;
  const allowsRefSiblings = dialect === 'openapi-3.1' || dialect === 'openapi-3.2';
  const flats = flatSchemas(root, allowsRefSiblings);
  const cut = new Set<JsonObject>();
  const subtypesOf = subtypeFinder(description);
  const translation: Translation = {
    root,
    allowsRefSiblings,
    flats,
    schemas: new Map(),
    targets: new Map(),
    components: new Map(),
    discriminated: new Map(),
    parts: [],
    cut,
    current: undefined,
    reader: {
      flats,
      safePattern: patternReader(),
      translate: (schema) => translate(translation, schema),
      translateAlternatives: (origin, schema, alternatives) =>
        alternatives.length > 0
          ? { anyOf: listedAlternatives(translation, schema, alternatives), notes: [] }
          : subtypeAlternatives(subtypesOf(meantBy(translation, origin)), (subtype) =>
              translateDiscriminated(translation, subtype),
            ),
      onCut: (origin) => cut.add(origin),
    },
  };
  return translation;
};

const translate = (translation: Translation, schema: Json | undefined): LinkedSchema => {
  if (!isObject(schema)) return ANYTHING;
  const { parts, schemas } = translation;
  const known = schemas.get(schema);
  // A schema that contains itself gets a reference.
  if (typeof known === 'number') return { ref: partRef(known), keywords: {} };
  if (known) return known;
  const part = schemas.size;
  schemas.set(schema, part);
  const made = asReference(translation, schema) ?? translateTarget(translation, schema);
  schemas.set(schema, made);
  parts[part] = made;
  return made;
};

const translateTarget = (translation: Translation, schema: Json | undefined): LinkedSchema => {
  if (!isObject(schema)) return ANYTHING;
  const { flats, reader, allowsRefSiblings, targets } = translation;
  const known = targets.get(schema);
  if (known) return known;
  const made = within(translation, refOf(schema, allowsRefSiblings), () =>
    translateKeywords(reader, schema, flats.flat(schema)),
  );
  targets.set(schema, made);
  return made;
};

const translateComponent = (translation: Translation, ref: string): LinkedSchema => {
  const { components, discriminated, flats, parts } = translation;
  const known = components.get(ref) ?? parts[partOf(ref)];
  if (known) return known;
  const schema = discriminated.get(ref) ?? flats.target(ref)?.schema;
  const made = within(translation, ref, () => translate(translation, schema));
  components.set(ref, made);
  return made;
};

/** As `translate`, with a reference for a component restricted to discriminator values. */
const translateDiscriminated = (translation: Translation, schema: Json): LinkedSchema => {
  const ref = discriminatedRef(schema);
  if (ref === undefined || !isObject(schema)) return translate(translation, schema);
  const { discriminated } = translation;
  if (!discriminated.has(ref)) discriminated.set(ref, schema);
  return { ref, keywords: {} };
};

const within = (
  translation: Translation,
  ref: string | undefined,
  translated: () => LinkedSchema,
): LinkedSchema => {
  const outer = translation.current;
  translation.current = ref ?? outer;
  const made = translated();
  translation.current = outer;
  return made;
};

const asReference = (
  { current, flats, root, allowsRefSiblings }: Translation,
  schema: JsonObject,
): LinkedSchema | undefined => {
  const ref = refOf(schema, allowsRefSiblings) ?? dynamicRef(root, schema, current);
  const target = ref === undefined ? undefined : flats.target(ref);
  if (!target || !isObject(target.schema) || flats.leadsBack(schema, target.schema)) {
    return undefined;
  }
  // Fast path: most references have no annotations, so a long enum need not be searched.
  const isBare = Object.keys(schema).length === 1;
  const annotations = annotationsOf(schema, isBare ? [] : readTypes(flats.flat(target.schema)));
  if (!isNullable(schema)) return { ref: target.ref, ...annotations };
  return { ...annotations, anyOf: [{ ref: target.ref, keywords: {} }, NULL] };
};

/** Resolves a mere reference to the schema that has the subtypes. */
const meantBy = ({ flats, allowsRefSiblings }: Translation, schema: JsonObject): Json => {
  const ref = refOf(schema, allowsRefSiblings);
  return ref === undefined ? schema : (flats.target(ref)?.schema ?? null);
};

/** Adds titles to alternatives, which often tell best what they are; elsewhere titles repeat names. */
const listedAlternatives = (
  translation: Translation,
  schema: JsonObject,
  alternatives: readonly Json[],
): readonly LinkedSchema[] => {
  const own = discriminatorOf(schema);
  return alternatives.map((alternative) => {
    const discriminator = own ?? inheritedDiscriminator(translation.flats.flat, alternative);
    const discriminated = discriminator
      ? discriminateAlternative(translation.flats.flat, discriminator, alternative)
      : alternative;
    const translated = translateDiscriminated(translation, discriminated);
    const title = isObject(alternative) ? tidyText(alternative, 'title') : undefined;
    return title === undefined ? translated : { description: title, ...translated };
  });
};

/** References to recursive schemas that are no components. */
const partRef = (part: number): string => `${PART}${part}`;
const partOf = (ref: string): number =>
  ref.startsWith(PART) ? Number(ref.slice(PART.length)) : -1;
const PART = '#/recursion/Part';
