import type { Change } from '../../tool-note.ts';
import { type Json, type JsonObject, pointerTo } from '../document.ts';
import { noDefinitions } from './definitions.ts';
import { type Detail, ownKeywords, stub } from './detail.ts';
import { inContext } from './in-context.ts';
import { joined, type LinkedSchema, partsOf, typesOf } from './linked-schema.ts';
import { type Losses, noLosses } from './losses.ts';
import type { Place } from './places.ts';
import type { Schemas } from './schemas.ts';
import type { TypeName } from './types.ts';

export interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly schema: LinkedSchema;
}

export interface LaidOut {
  readonly inputSchema: JsonObject;
  /** See `Operation.wireNames`. */
  readonly wireNames: Readonly<Record<string, string>>;
  readonly losses: Losses;
  /** What is said otherwise than in the description, each with the place. */
  readonly changes: readonly (readonly [at: string, change: Change])[];
}

export interface Space {
  /** Characters of JSON, roughly. */
  readonly max: number;
  /** Which components stand once under `$defs` instead of wherever they are used. */
  readonly isDefined: (ref: string) => boolean;
  readonly isRecursive: (ref: string) => boolean;
  /** Whether a component leads to another without a property in between that may be left out. */
  readonly leadsOn: (from: string, to: string) => boolean;
}

/** References in a row count a little, so that a chain of thousands ends. */
const HOP = 1 / 64;

/**
 * Lays the arguments of one tool out as its `inputSchema`.
 *
 * @returns undefined if that takes more than `space.max`
 */
export const layOut = (
  schemas: Pick<Schemas, 'component'>,
  args: readonly Argument[],
  detail: Detail,
  space: Space,
): LaidOut | undefined => {
  const wireNames: Record<string, string> = {};
  const losses = noLosses();
  const changes: (readonly [string, Change])[] = [];
  const definitions = noDefinitions<Place>();
  let spent = 0;

  const write = (schema: LinkedSchema, place: Place): JsonObject => {
    if (spent > space.max) return {};
    if (schema.ref !== undefined) return writeReference(schema, schema.ref, place);
    const { at, depth } = place;
    const isCutHere = isTooDeep(place) && partsOf(schema).length > 0;
    const own = isCutHere
      ? stub(schema, depth, detail, losses)
      : ownKeywords(schema, at, depth, detail, losses);
    spent += JSON.stringify(own).length;
    if (isCutHere) losses.insides.push(at);
    else for (const change of schema.changes ?? []) changes.push([at, change]);
    return isCutHere ? own : { ...own, ...writeParts(schema, place) };
  };

  const isTooDeep = ({ depth, isRequired }: Place): boolean =>
    depth > (isRequired ? detail.required : detail.optional);

  const isDefined = (ref: string, place: Place): boolean =>
    !isTooDeep(place) && space.isDefined(ref);

  const writeReference = (schema: LinkedSchema, ref: string, place: Place): JsonObject => {
    const { at, depth } = place;
    const target = schemas.component(ref);
    if (!isDefined(ref, place)) {
      return write(joined(schema, target), { ...place, depth: depth + HOP });
    }
    const name = definitions.define(ref, place);
    if (isEndless(ref, place)) {
      changes.push([at, { what: `${name} is not described again inside itself`, why: ENDLESS }]);
      return stub(joined(schema, target), depth, detail, losses, `As in ${name}.`);
    }
    changes.push([at, referred(name, space.isRecursive(ref))]);
    const reference = { $ref: `#/$defs/${name}` };
    const own = ownKeywords(schema, at, depth, detail, losses);
    spent += JSON.stringify([own, reference]).length;
    // Some model APIs allow nothing beside `$ref`.
    return Object.keys(own).length > 0 ? { ...own, anyOf: [reference] } : reference;
  };

  /** Whether the reference would close a circle that no property leads out of. */
  const isEndless = (ref: string, { within }: Place): boolean =>
    within !== undefined && definitions.isMetBefore(ref, within) && space.leadsOn(ref, within);

  /** The members of an `anyOf` or `allOf` that are possible beside the types around them. */
  const possible = (
    list: readonly LinkedSchema[],
    place: Place,
    types: readonly TypeName[],
  ): readonly LinkedSchema[] =>
    list.flatMap((part) => {
      let opened = part;
      while (opened.ref !== undefined && !isDefined(opened.ref, place)) {
        opened = joined(opened, schemas.component(opened.ref));
      }
      return opened.ref === undefined ? (inContext(opened, types) ?? []) : opened;
    });

  const writeParts = (schema: LinkedSchema, place: Place): JsonObject => {
    const { properties = [], one = {}, many = {}, patternProperties = [] } = schema;
    const { required } = schema.keywords;
    const needed = new Set<Json>(Array.isArray(required) ? required : []);
    const own = typesOf(schema);
    const types = own.length > 0 ? own : (place.context ?? []);
    const inside = (way: string, isNeeded = true): Place => ({
      at: `${place.at}/${way}`,
      depth: place.depth + 1,
      isRequired: isNeeded && place.isRequired,
      within: isNeeded ? place.within : undefined,
    });
    const compositions = (['anyOf', 'allOf'] as const)
      .map((keyword) => [keyword, possible(many[keyword] ?? [], inside(keyword), types)] as const)
      .filter(([, list]) => list.length > 0);

    for (const { name, wireName } of properties) {
      if (name !== wireName) wireNames[`${place.at}/properties/${name}`] = wireName;
      spent += name.length + 4;
    }
    return {
      ...(properties.length > 0
        ? {
            properties: mapped(properties, ({ name, schema: part }) => [
              name,
              write(part, inside(`properties/${name}`, needed.has(name))),
            ]),
          }
        : {}),
      ...(patternProperties.length > 0
        ? {
            patternProperties: mapped(patternProperties, ([pattern, part]) => [
              pattern,
              write(part, inside(`patternProperties${pointerTo(pattern)}`)),
            ]),
          }
        : {}),
      ...mapped(Object.entries(one), ([keyword, part]) => [keyword, write(part, inside(keyword))]),
      ...(many.prefixItems
        ? {
            prefixItems: many.prefixItems.map((part, index) =>
              write(part, inside(`prefixItems/${index}`)),
            ),
          }
        : {}),
      ...mapped(compositions, ([keyword, list]) => [
        keyword,
        list.map((part, index) =>
          write(part, { ...inside(`${keyword}/${index}`), context: types }),
        ),
      ]),
    };
  };

  const properties = mapped(args, ({ name, schema, required: isRequired }) => [
    name,
    write(schema, { at: `/properties/${name}`, depth: 0, isRequired }),
  ]);
  const defined: Record<string, Json> = {};
  for (let next = definitions.next(); next; next = definitions.next()) {
    const { ref, name, use } = next;
    const { depth, isRequired } = use;
    const there: Place = { at: `/$defs/${name}`, depth, isRequired, within: ref };
    defined[name] = write(schemas.component(ref), there);
  }
  if (spent > space.max) return undefined;

  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  return {
    inputSchema: {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(Object.keys(defined).length > 0 ? { $defs: defined } : {}),
    },
    wireNames,
    losses,
    changes,
  };
};

const ENDLESS = 'Gemini takes circles only where a property may be left out';

const referred = (name: string, isRecursive: boolean): Change => ({
  what: `refers to ${name}, which stands under $defs`,
  why: isRecursive ? 'it contains itself' : 'it is used more than once, and large',
});

const mapped = <Item>(
  items: readonly Item[],
  entry: (item: Item) => readonly [string, Json],
): JsonObject => Object.fromEntries(items.map(entry));
