import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { pointerTo, resolveFragment } from '../../platform/rules/json/pointer.ts';

/**
 * Values that are written out for all templates together, with their members, of which one object may have hundreds of
 * thousands; where there are more, all stay as they are.
 */
const MOST_VALUES = 50_000;

/** Values that are looked through for dynamic references: those that many schemas lead to are met again from each. */
const MOST_LOOKED = 1_000_000;

/** Templates within templates. */
const MOST_NESTED = 50;

/** Data, which may hold anything. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** References to schemas, by the dynamic anchors that they stand for. */
type Bindings = ReadonlyMap<string, string>;

/** What schemas that are being written out are referred to as. */
type Open = ReadonlyMap<Json, string>;

/**
 * Writes out templates: what a `$dynamicRef` means is known in a schema that binds its anchor, with a `$dynamicAnchor` of
 * its own or in its `$defs`. So each reference from there to a schema that has such a `$dynamicRef` becomes a copy of it
 * with a plain reference in its place.
 *
 * Source: JSON Schema 2020-12 Core §8.2.3.2; OpenAPI 3.1.1, "Generic (Template) Data Structures".
 */
export const bindTemplates = (root: JsonObject): void => {
  let left = MOST_VALUES;
  let looked = 0;
  const anchorsIn = anchorFinder(root, (values) => {
    if ((looked += values) > MOST_LOOKED) left = -1;
    return left >= 0;
  });
  let count = 0;

  /** @param as - what the schema that this one refers to is called inside of itself */
  const bound = (node: Json, bindings: Bindings, open: Open, as?: string): Json => {
    if (typeof node !== 'object' || node === null || left < 0) return node;
    left -= 1 + Object.keys(node).length;
    if (left < 0) return node;
    if (Array.isArray(node)) return node.map((one: Json) => bound(one, bindings, open));
    if (!isObject(node)) return node;
    const { $dynamicRef, $ref, ...rest } = node;
    const others = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [
        key,
        DATA.has(key) ? value : bound(value, bindings, open),
      ]),
    );
    const meant = bindings.get(anchorOf($dynamicRef) ?? '');
    if (meant !== undefined) {
      count += 1;
      return { ...others, $ref: meant };
    }
    const kept = {
      ...others,
      ...($dynamicRef === undefined ? {} : { $dynamicRef }),
      ...($ref === undefined ? {} : { $ref }),
    };
    const target = typeof $ref === 'string' ? resolveFragment(root, $ref) : undefined;
    if (typeof $ref !== 'string' || !isObject(target) || open.size > MOST_NESTED) return kept;
    if (![...anchorsIn(target)].some((anchor) => bindings.has(anchor))) return kept;
    const again = open.get(target);
    if (again !== undefined) return { ...kept, $ref: again };
    // What the outer schema binds counts, whatever the template binds itself.
    const all = new Map([...bindingsOf(target, $ref), ...bindings]);
    const copy = bound(withoutNames(target), all, new Map([...open, [target, as ?? $ref]]));
    const allOf = member(others, 'allOf');
    return { ...others, allOf: [...(Array.isArray(allOf) ? allOf : []), copy] };
  };

  const written = bindingSchemas(root).flatMap(({ schema, pointer }) => {
    const at = `#${pointer}`;
    const before = count;
    const made = bound(schema, bindingsOf(schema, at), new Map([[schema, at]]), at);
    return count > before ? [[schema, made] as const] : [];
  });
  if (left < 0) return;
  for (const [schema, made] of written) {
    const members = schema as Record<string, Json>;
    for (const key of Object.keys(members)) delete members[key];
    Object.assign(members, withoutAnchors(made as JsonObject));
  }
};

/** `item` of `#item`, and of the same behind an address. */
const anchorOf = (reference: Json | undefined): string | undefined =>
  typeof reference === 'string' ? /#([^/#][^#]*)$/.exec(reference)?.[1] : undefined;

/** What a schema binds by standing around others, where it stands. */
const bindingsOf = (schema: JsonObject, at: string): Bindings => {
  const own = member(schema, '$dynamicAnchor');
  const inside = definitionsOf(schema).flatMap(([name, definition]) => {
    const anchor = isObject(definition) ? member(definition, '$dynamicAnchor') : undefined;
    return typeof anchor === 'string' ? [[anchor, `${at}/$defs${pointerTo(name)}`] as const] : [];
  });
  return new Map([...(typeof own === 'string' ? [[own, at] as const] : []), ...inside]);
};

const definitionsOf = (schema: JsonObject): readonly (readonly [string, Json])[] => {
  const definitions = member(schema, '$defs');
  return isObject(definitions) ? Object.entries(definitions) : [];
};

/** All schemas that bind something, with their JSON pointers. */
const bindingSchemas = (root: JsonObject) => {
  const found: { readonly schema: JsonObject; readonly pointer: string }[] = [];
  const seen = new Set<Json>();
  const open: (readonly [Json, string])[] = [[root, '']];
  // A list of our own instead of recursion: nobody knows how deep it is.
  for (const [node, pointer] of open) {
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (isObject(node) && bindingsOf(node, '').size > 0) found.push({ schema: node, pointer });
    for (const [key, value] of Object.entries(node)) {
      if (!DATA.has(key)) open.push([value, pointer + pointerTo(key)]);
    }
  }
  return found;
};

/**
 * Finds the anchors that dynamic references in a schema ask for, by way of plain references too.
 *
 * @param mayLook - whether so many more values may be looked at
 */
const anchorFinder = (
  root: JsonObject,
  mayLook: (values: number) => boolean,
): ((schema: JsonObject) => ReadonlySet<string>) => {
  const known = new Map<JsonObject, ReadonlySet<string>>();
  return (schema) => {
    const before = known.get(schema);
    if (before) return before;
    const anchors = new Set<string>();
    const seen = new Set<Json>();
    const open: Json[] = [schema];
    for (const node of open) {
      if (typeof node !== 'object' || node === null || seen.has(node)) continue;
      const inside = Object.values(node) as Json[];
      if (seen.add(node).size > MOST_VALUES || !mayLook(1 + inside.length)) break;
      if (isObject(node)) {
        const anchor = anchorOf(member(node, '$dynamicRef'));
        if (anchor !== undefined) anchors.add(anchor);
        const ref = member(node, '$ref');
        if (typeof ref === 'string') open.push(resolveFragment(root, ref) ?? null);
      }
      // One by one: a call takes no hundred thousand arguments.
      for (const value of inside) open.push(value);
    }
    known.set(schema, anchors);
    return anchors;
  };
};

/** A copy has none of the names that its original is referred to by. */
const withoutNames = (schema: JsonObject): JsonObject => {
  const { $id: _, $anchor: __, $dynamicAnchor: ___, $defs: ____, ...rest } = schema;
  return rest;
};

/** What they are bound to is written out. */
const withoutAnchors = (bound: JsonObject): JsonObject => {
  const { $dynamicAnchor: _, ...schema } = bound;
  const definitions = definitionsOf(schema);
  if (definitions.length === 0) return schema;
  const plain = definitions.map(([name, one]) => {
    if (!isObject(one)) return [name, one] as const;
    const { $dynamicAnchor: __, ...rest } = one;
    return [name, rest] as const;
  });
  return { ...schema, $defs: Object.fromEntries(plain) };
};
