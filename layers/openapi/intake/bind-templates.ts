import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { listMember } from '../../platform/rules/json/members.ts';
import { pointerTo, resolveFragment } from '../../platform/rules/json/pointer.ts';

/** Limit for values that all templates together are expanded to; beyond it none is expanded. */
const MOST_VALUES = 50_000;

/** Limit for values searched for dynamic references; shared schemas are searched again from each reference. */
const MOST_LOOKED = 1_000_000;

const MOST_NESTED = 50;

/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** Reference to a schema by dynamic anchor. */
type Bindings = ReadonlyMap<string, string>;

/** References to the schemas that are being expanded. */
type Open = ReadonlyMap<Json, string>;

/**
 * Expands templates. A `$dynamicRef` has a meaning only inside a schema that binds its anchor, by a `$dynamicAnchor` of
 * its own or in its `$defs`. There, each reference to a schema with such a `$dynamicRef` is replaced by a copy with
 * plain references.
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

  /** @param as - reference to the copy from inside it */
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
    // Bindings of the outer schema override the template's own.
    const all = new Map([...bindingsOf(target, $ref), ...bindings]);
    const copy = bound(withoutNames(target), all, new Map([...open, [target, as ?? $ref]]));
    return { ...others, allOf: [...listMember(others, 'allOf'), copy] };
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

/** `item` for `#item`, with or without a URL before it. */
const anchorOf = (reference: Json | undefined): string | undefined =>
  typeof reference === 'string' ? /#([^/#][^#]*)$/.exec(reference)?.[1] : undefined;

/** Anchors that a schema binds, with references to what they are bound to. */
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

const bindingSchemas = (root: JsonObject) => {
  const found: { readonly schema: JsonObject; readonly pointer: string }[] = [];
  const seen = new Set<Json>();
  const open: (readonly [Json, string])[] = [[root, '']];
  // Iterative, so that no depth of the tree can exhaust the stack.
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
 * Finds the anchors of all dynamic references that a schema contains or reaches by plain references.
 * @param mayLook - takes the number of values to search; false stops the search
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
      // `push(...inside)` fails beyond a hundred thousand arguments.
      for (const value of inside) open.push(value);
    }
    known.set(schema, anchors);
    return anchors;
  };
};

/** Removes the names by which the original is referred to. */
const withoutNames = (schema: JsonObject): JsonObject => {
  const { $id: _, $anchor: __, $dynamicAnchor: ___, $defs: ____, ...rest } = schema;
  return rest;
};

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
