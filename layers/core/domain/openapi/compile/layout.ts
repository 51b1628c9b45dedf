import type { Change } from '../../tool-note.ts';
import { pointerTo } from '../document.ts';
import { ENDLESS, noDefinitions, reasonToRefer } from './definitions.ts';
import { type Detail, ownKeywords, stub } from './detail.ts';
import { inContext } from './in-context.ts';
import { type Member, objectOf, withMembers } from './json-text.ts';
import { joined, type LinkedSchema, partsOf, typesOf } from './linked-schema.ts';
import type { Losses } from './losses.ts';
import { pointerOf } from './path.ts';
import type { Place } from './places.ts';
import type { Schemas } from './schemas.ts';
import type { TypeName } from './types.ts';
import { again, noProgress, recorded, type Written } from './written-once.ts';

export interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly schema: LinkedSchema;
}

export interface LaidOut {
  /** JSON text. */
  readonly inputSchema: string;
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
  /** What was written before in this detail: for tools that share schemas. */
  readonly written: Map<LinkedSchema, Written>;
  /** Whether the definitions are those that it was written with; what refers to none is the same anyway. */
  readonly isWrittenAlike: boolean;
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
  const progress = noProgress();
  const { changes, losses, renamed } = progress;
  const definitions = noDefinitions<Place>();
  const least = Math.min(detail.optional, detail.required);

  const write = (schema: LinkedSchema, place: Place): string => {
    if (progress.spent > space.max) return '{}';
    if (schema.ref !== undefined) return writeReference(schema, schema.ref, place);
    // At the top texts are longer, and what stands around an alternative changes it.
    const isAlike = place.depth >= 1 && (place.context ?? []).length === 0;
    if (!isAlike) return writeAnew(schema, place);

    const before = space.written.get(schema);
    const isFit = before && (space.isWrittenAlike || !before.hasReferences);
    if (isFit && place.depth + before.height <= least) return again(progress, before, place);
    const made = recorded(progress, place, () => writeAnew(schema, place));
    const isKept = space.isWrittenAlike ? !made.isReferring : !made.hasReferences;
    if (isKept && !made.isCut && progress.spent <= space.max) {
      space.written.set(schema, made.written());
    }
    return made.text;
  };

  const writeAnew = (schema: LinkedSchema, place: Place): string => {
    const { at, depth } = place;
    progress.deepest = Math.max(progress.deepest, depth);
    const isCutHere = isTooDeep(place) && partsOf(schema).length > 0;
    const own = isCutHere
      ? stub(schema, depth, detail, losses)
      : ownKeywords(schema, at, depth, detail, losses);
    const text = JSON.stringify(own);
    progress.spent += text.length;
    if (isCutHere) losses.insides.push(pointerOf(at));
    else for (const change of schema.changes ?? []) changes.push([at, change]);
    return isCutHere ? text : withMembers(text, writeParts(schema, place));
  };

  const isTooDeep = ({ depth, isRequired }: Place): boolean =>
    depth > (isRequired ? detail.required : detail.optional);

  const isDefined = (ref: string, place: Place): boolean =>
    !isTooDeep(place) && space.isDefined(ref);

  const writeReference = (schema: LinkedSchema, ref: string, place: Place): string => {
    const { at, depth } = place;
    progress.references += 1;
    const target = schemas.component(ref);
    if (!isDefined(ref, place)) {
      return write(joined(schema, target), { ...place, depth: depth + HOP });
    }
    progress.referred += 1;
    const name = definitions.define(ref, place);
    if (isEndless(ref, place)) {
      changes.push([at, { what: `${name} is not described again inside itself`, why: ENDLESS }]);
      const text = stub(joined(schema, target), depth, detail, losses, `As in ${name}.`);
      return JSON.stringify(text);
    }
    changes.push([at, reasonToRefer(name, space.isRecursive(ref))]);
    const reference = JSON.stringify({ $ref: `#/$defs/${name}` });
    const own = JSON.stringify(ownKeywords(schema, at, depth, detail, losses));
    progress.spent += own.length + reference.length + 3;
    // Some model APIs allow nothing beside `$ref`.
    return own === '{}' ? reference : withMembers(own, [`"anyOf":[${reference}]`]);
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
        progress.references += 1;
        opened = joined(opened, schemas.component(opened.ref));
      }
      return opened.ref === undefined ? (inContext(opened, types) ?? []) : opened;
    });

  const writeParts = (schema: LinkedSchema, place: Place): readonly string[] => {
    const { properties = [], one = {}, many = {}, patternProperties = [] } = schema;
    const { required } = schema.keywords;
    const needed = new Set(Array.isArray(required) ? required : []);
    const own = typesOf(schema);
    const types = own.length > 0 ? own : (place.context ?? []);
    const parts: string[] = [];

    for (const { name, wireName } of properties) {
      if (name !== wireName)
        renamed.push([{ above: place.at, step: `/properties/${name}` }, wireName]);
      progress.spent += name.length + 4;
    }
    if (properties.length > 0) {
      const members = properties.map(({ name, schema: part }): Member => [
        name,
        write(part, inside(place, `/properties/${name}`, needed.has(name))),
      ]);
      parts.push(`"properties":${objectOf(members)}`);
    }
    if (patternProperties.length > 0) {
      const members = patternProperties.map(([pattern, part]): Member => {
        const there = inside(place, `/patternProperties${pointerTo(pattern)}`);
        return [pattern, write(part, there)];
      });
      // Patterns may have become equal: the last one counts, as in JSON.
      parts.push(`"patternProperties":${objectOf([...new Map(members)])}`);
    }
    for (const [keyword, part] of Object.entries(one)) {
      parts.push(`"${keyword}":${write(part, inside(place, `/${keyword}`))}`);
    }
    if (many.prefixItems) {
      const items = many.prefixItems.map((part, index) =>
        write(part, inside(place, `/prefixItems/${index}`)),
      );
      parts.push(`"prefixItems":[${items.join()}]`);
    }
    for (const keyword of ['anyOf', 'allOf'] as const) {
      const list = many[keyword];
      const members = list ? possible(list, inside(place, ''), types) : [];
      if (members.length === 0) continue;
      const written = members.map((part, index) =>
        write(part, { ...inside(place, `/${keyword}/${index}`), context: types }),
      );
      parts.push(`"${keyword}":[${written.join()}]`);
    }
    return parts;
  };

  const members = args.map(({ name, schema, required: isRequired }): Member => [
    name,
    write(schema, { at: { above: undefined, step: `/properties/${name}` }, depth: 0, isRequired }),
  ]);
  const defined: Member[] = [];
  for (let next = definitions.next(); next; next = definitions.next()) {
    const { ref, name, use } = next;
    const { depth, isRequired } = use;
    const at = { above: undefined, step: `/$defs/${name}` };
    defined.push([name, write(schemas.component(ref), { at, depth, isRequired, within: ref })]);
  }
  if (progress.spent > space.max) return undefined;

  const required = args.filter((argument) => argument.required).map(({ name }) => name);
  return {
    inputSchema: withMembers('{"type":"object"}', [
      `"properties":${objectOf(members)}`,
      ...(required.length > 0 ? [`"required":${JSON.stringify(required)}`] : []),
      ...(defined.length > 0 ? [`"$defs":${objectOf(defined)}`] : []),
    ]),
    wireNames: Object.fromEntries(renamed.map(([at, wireName]) => [pointerOf(at), wireName])),
    losses,
    changes: changes.map(([at, change]) => [pointerOf(at), change]),
  };
};

const inside = (place: Place, step: string, isNeeded = true): Place => ({
  at: { above: place.at, step },
  depth: place.depth + 1,
  isRequired: isNeeded && place.isRequired,
  within: isNeeded ? place.within : undefined,
});
