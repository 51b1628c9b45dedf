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

/** The schemas of one description, as a request needs them. Each is translated once. */
export interface Schemas {
  readonly translate: (schema: Json | undefined) => LinkedSchema;
  /** The same, but never a reference: what the schema is made of. */
  readonly translateTarget: (schema: Json | undefined) => LinkedSchema;
  /** What a reference of a translated schema stands for. */
  readonly component: (ref: string) => LinkedSchema;
  /** A schema's own keywords with `$ref` and `allOf` merged into them, still as the description has them. */
  readonly flat: FlatSchemas['flat'];
  /** How many of the schemas so far are composed of too many others, and accept any value. */
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
  /** Whether keywords beside `$ref` are in force. */
  readonly allowsRefSiblings: boolean;
  readonly flats: FlatSchemas;
  readonly reader: SchemaReader;
  /** A number while it is translated: how many were begun before. */
  readonly schemas: Map<JsonObject, LinkedSchema | number>;
  readonly targets: Map<JsonObject, LinkedSchema>;
  readonly components: Map<string, LinkedSchema>;
  /** Components with the values of a discriminator, by their references. */
  readonly discriminated: Map<string, JsonObject>;
  /** Schemas that are no components, by the order of translation. */
  readonly parts: LinkedSchema[];
  readonly cut: Set<JsonObject>;
  /** The component being translated, which `$dynamicRef` and its elders mean by `#`. */
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
  // Until it is translated, what leads back to it from inside sees a reference.
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

/** As `translate`, but a component with the values of a discriminator is a reference as well. */
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

/** The schema as a reference with annotations of its own, if it is no more than that. */
const asReference = (
  { current, flats, root, allowsRefSiblings }: Translation,
  schema: JsonObject,
): LinkedSchema | undefined => {
  const ref = refOf(schema, allowsRefSiblings) ?? dynamicRef(root, schema, current);
  const target = ref === undefined ? undefined : flats.target(ref);
  if (!target || !isObject(target.schema) || flats.leadsBack(schema, target.schema)) {
    return undefined;
  }
  // Most say nothing of their own: then a long list of values need not be looked through each time.
  const isBare = Object.keys(schema).length === 1;
  const annotations = annotationsOf(schema, isBare ? [] : readTypes(flats.flat(target.schema)));
  if (!isNullable(schema)) return { ref: target.ref, ...annotations };
  return { ...annotations, anyOf: [{ ref: target.ref, keywords: {} }, NULL] };
};

/** The schema that has the subtypes: what a mere reference stands for. */
const meantBy = ({ flats, allowsRefSiblings }: Translation, schema: JsonObject): Json => {
  const ref = refOf(schema, allowsRefSiblings);
  return ref === undefined ? schema : (flats.target(ref)?.schema ?? null);
};

/** The title of an alternative often says best which one it is; elsewhere titles repeat names. */
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

/** A name for a schema that is no component and contains itself. */
const partRef = (part: number): string => `${PART}${part}`;
const partOf = (ref: string): number =>
  ref.startsWith(PART) ? Number(ref.slice(PART.length)) : -1;
const PART = '#/recursion/Part';
