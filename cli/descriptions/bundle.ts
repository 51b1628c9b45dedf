import {
  type Field,
  OBJECT_FIELDS,
  type ObjectType,
} from '../../layers/openapi/intake/openapi-objects.ts';
import type { Finding } from '../failure.ts';
import { isJson, type Json, jsonOf } from '../json.ts';
import { messageOf } from '../text/words.ts';
import { DescriptionFault } from './description-fault.ts';
import { keysOf, pointerTo, valueAt } from './json-pointer.ts';

type Members = Record<string, unknown>;

/** Documents by URL; an Error for one that cannot be read. */
export type Documents = ReadonlyMap<string, unknown>;

export interface Bundled {
  readonly description: unknown;
  /** URLs of the documents that parts come from, without the main one. */
  readonly documents: readonly string[];
}

interface Location {
  readonly at: string;
  readonly document: string;
  readonly pointer: string;
  /** Base URL of references in the document. */
  readonly base: string;
}

/**
 * A reference's target in another document becomes a component of the main one, or replaces its first reference if
 * OpenAPI has no such component. Unknown URLs and circles stay references. The `bundle` of swagger-parser keeps
 * references back to the main document, does not know OpenAPI 3.2, follows every `$ref` in an example, and nests
 * schemas deeper with every document.
 * @param main - its URL; all trees are changed
 * @throws DescriptionFault with each reference that leads nowhere, and its place
 */
export const bundle = (main: string, documents: Documents): Bundled => {
  const root = jsonOf(documents.get(main)) as Members;
  const version = String(root.openapi ?? root.swagger ?? '');
  const addComponent = componentAdder(root);
  /** Places in the bundled description, by the URL of a reference's target. */
  const places = new Map(componentsElsewhere(root, main, version));
  const used = new Set<string>();
  const seen = new Set<object>();
  const faults: Finding[] = [];

  const visit = (node: unknown, position: Field, location: Location): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const members = node as Members;
    const here = { ...location, base: baseOf(members, position, location.base) };
    const ref = members['$ref'];
    if (typeof ref === 'string') follow(members, ref, position, here);
    if (position.type === 'schema') followMapping(members, here);
    for (const key of Object.keys(members)) {
      const under = positionUnder(position, key, members[key]);
      const step = pointerTo(key);
      if (!under) continue;
      const at = here.at + step;
      visit(members[key], under, { ...here, at, pointer: here.pointer + step });
    }
  };

  const follow = (node: Members, ref: string, position: Field, here: Location): void => {
    const target = targetOf(ref, here.base);
    if (target === undefined) return;
    const { document, keys } = target;
    if (document === main) {
      if (here.document !== main || !ref.startsWith('#')) node['$ref'] = fragmentOf(ref);
      const pointer = pointerTo(...(keys ?? []));
      const there = { at: pointer, document, pointer, base: main };
      if (keys) visit(valueAt(root, keys), position, there);
      return;
    }
    if (!documents.has(document)) return;
    used.add(document);
    const value = valueIn(target);
    if (value === undefined || value instanceof Error) {
      faults.push(faultAt(here, ref, value ? reasonOf(value) : 'nothing is there'));
    } else if (!isJson(value) && !(position.type === 'schema' && typeof value === 'boolean')) {
      faults.push(faultAt(here, ref, 'no object is there'));
    } else take(node, value, target, position, here);
  };

  /** Moves a reference's target to the components, or into the reference's place. */
  const take = (
    node: Members,
    value: unknown,
    { document, keys = [] }: Target,
    position: Field,
    here: Location,
  ): void => {
    const pointer = pointerTo(...keys);
    const there = { document, pointer, base: document };
    const address = `${document}#${pointer}`;
    const known = places.get(address);
    const section = position.form === 'one' ? sectionOf(position.type, version) : undefined;
    if (known !== undefined && known !== here.at) node['$ref'] = `#${known}`;
    else if (known === undefined && section) {
      const at = addComponent(section, document, keys, value);
      places.set(address, at);
      node['$ref'] = `#${at}`;
      visit(value, position, { ...there, at });
    } else {
      places.set(address, here.at);
      visit(value, position, { ...there, at: here.at });
      putInPlace(node, jsonOf(value));
    }
  };

  const valueIn = ({ document, keys }: Target): unknown => {
    const tree = documents.get(document);
    return tree instanceof Error ? tree : keys && valueAt(tree, keys);
  };

  /** Discriminators refer to schemas by reference or by name. Source: OpenAPI 3.1.1, "Discriminator Object". */
  const followMapping = (schema: Members, here: Location): void => {
    const mapping = jsonOf(jsonOf(schema.discriminator).mapping) as Members;
    for (const [value, ref] of Object.entries(mapping)) {
      const target = typeof ref === 'string' ? targetOf(ref, here.base) : undefined;
      if (!target || !documents.has(target.document)) continue;
      // A mapping's value that leads to no readable document is a name.
      if (valueIn(target) === undefined || valueIn(target) instanceof Error) continue;
      const reference: Members = { $ref: ref };
      follow(reference, String(ref), { type: 'schema', form: 'one' }, { ...here, at: '' });
      mapping[value] = reference['$ref'];
    }
  };

  const start = { at: '', document: main, pointer: '', base: main };
  visit(root, { type: 'description', form: 'one' }, start);
  if (faults.length > 0) {
    throw new DescriptionFault('The description refers to what is not there.', faults);
  }
  return { description: root, documents: [...used] };
};

/** Components of the main document that are only references: their targets take their names. */
const componentsElsewhere = function* (
  root: Members,
  main: string,
  version: string,
): Generator<readonly [address: string, at: string]> {
  for (const section of sectionsOf(version)) {
    for (const [name, component] of Object.entries(jsonOf(valueAt(root, section)))) {
      const ref = jsonOf(component)['$ref'];
      const target = typeof ref === 'string' ? targetOf(ref, main) : undefined;
      if (target?.keys === undefined || target.document === main) continue;
      yield [`${target.document}#${pointerTo(...target.keys)}`, pointerTo(...section, name)];
    }
  }
};

/** A schema's `$id` is the base of its references. Source: JSON Schema 2020-12 §8.2.1. */
const baseOf = (members: Members, { type, form }: Field, base: string): string => {
  const id = type === 'schema' && form === 'one' ? members['$id'] : undefined;
  return (typeof id === 'string' ? URL.parse(id, base)?.href : undefined) ?? base;
};

/** Members beside a reference take precedence. */
const putInPlace = (node: Members, value: Json): void => {
  delete node['$ref'];
  for (const [key, member] of Object.entries(value)) {
    if (Object.hasOwn(node, key)) continue;
    // The member is defined, not assigned: its key may be `__proto__`.
    const property = { value: member, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(node, key, property);
  }
};

/** Only the first line is shown: the parser adds the surrounding text. */
const reasonOf = (error: Error): string =>
  messageOf(error)
    .replace(/^Error parsing \S+: /, 'it cannot be parsed, ')
    .replace(/\n[^]*/, '');

const faultAt = ({ document, pointer }: Location, ref: unknown, why: string): Finding => ({
  where: `${document}#${pointer}`,
  what: `refers to ${JSON.stringify(ref)}: ${why}`,
  hint: '',
});

/** OpenAPI object type below a key; undefined for data. */
const positionUnder = (
  { type, form, extensible }: Field,
  key: string,
  value: unknown,
): Field | undefined => {
  if (form === 'one' && type !== 'callback') {
    const fields = OBJECT_FIELDS[type];
    const position = Object.hasOwn(fields, key) ? fields[key] : undefined;
    // `items` was a list of schemas before JSON Schema 2020-12.
    const isList = position?.type === 'schema' && Array.isArray(value);
    return isList ? { type: 'schema', form: 'list' } : position;
  }
  if ((extensible || form === 'one') && key.startsWith('x-')) return undefined;
  return { type: form === 'one' ? 'pathItem' : type, form: 'one' };
};

/** Section for named objects of a type, by version; undefined if there is none. */
const sectionOf = (type: ObjectType, version: string): readonly string[] | undefined => {
  const isTwo = version.startsWith('2');
  const name = (isTwo ? SECTIONS_2 : SECTIONS).get(type);
  if (name === undefined || (type === 'mediaType' && version < '3.2')) return undefined;
  return isTwo ? [name] : ['components', name];
};

const sectionsOf = (version: string): readonly (readonly string[])[] =>
  [...SECTIONS.keys()].flatMap((type) => {
    const section = sectionOf(type, version);
    return section === undefined ? [] : [section];
  });

const SECTIONS_2: ReadonlyMap<ObjectType, string> = new Map([
  ['schema', 'definitions'],
  ['parameter', 'parameters'],
  ['response', 'responses'],
]);

/** Path items are left out, since their operations are searched where a path is listed. */
const SECTIONS: ReadonlyMap<ObjectType, string> = new Map(
  Object.entries(OBJECT_FIELDS.components)
    .map(([name, { type }]) => [type, name] as const)
    .filter(([type]) => type !== 'pathItem'),
);

interface Target {
  readonly document: string;
  readonly keys: readonly string[] | undefined;
}

/** @param base - of the reference @returns undefined for an invalid URL */
const targetOf = (ref: string, base: string): Target | undefined => {
  const url = URL.parse(ref, base);
  if (url === null) return undefined;
  const keys = keysOf(url.hash.slice(1));
  url.hash = '';
  return { document: url.href, keys };
};

const fragmentOf = (ref: string): string => (ref.includes('#') ? ref.slice(ref.indexOf('#')) : '#');

/** Adds a component under a unique name, from its last key or its document. */
const componentAdder =
  (root: Members) =>
  (
    section: readonly string[],
    document: string,
    keys: readonly string[],
    value: unknown,
  ): string => {
    const members = section.reduce<Members>((above, key) => {
      if (!isJson(above[key])) above[key] = {};
      return above[key] as Members;
    }, root);
    const name = componentName(keys.at(-1) ?? fileName(document));
    let free = name;
    for (let number = 2; Object.hasOwn(members, free); number += 1) free = `${name}_${number}`;
    members[free] = value;
    return pointerTo(...section, free);
  };

/** Source: OpenAPI 3.1.1, "Components Object". */
const componentName = (text: string): string => {
  const name = text.replaceAll(/[^A-Za-z0-9._-]+/g, '_').replace(/^_*((?:.*[^_])?)_*$/s, '$1');
  return name === '' || name === 'proto' ? 'component' : name;
};

const fileName = (document: string): string => {
  const { pathname } = new URL(document);
  const name = pathname.split('/').findLast((step) => step !== '') ?? '';
  const dot = name.lastIndexOf('.');
  return (dot > 0 ? name.slice(0, dot) : name).replaceAll('%20', '_');
};
