import { definitionName, propertyNameWithHash } from '../schema/texts.ts';
import type { Position } from './shortening.ts';
import { cycleFinder, pathFinder } from '../json-schema/reference-graph.ts';
import type { Argument } from '../operation/body-arguments.ts';
import { type LinkedSchema, partsOf } from '../schema/linked-schema.ts';
import type { Schemas } from '../schema/translate-schemas.ts';

export interface Definitions {
  /** Names a component, registering it at its first reference. @param position - of the reference */
  readonly define: (ref: string, position: Position) => string;
  /** Whether `ref` was registered no later than `other`; false if it was not. */
  readonly isMetBefore: (ref: string, other: string) => boolean;
  readonly next: () => Definition | undefined;
}

interface Definition {
  readonly ref: string;
  readonly name: string;
  readonly position: Position;
}

export const noDefinitions = (): Definitions => {
  const names = new Map<string, string>();
  const order = new Map<string, number>();
  const taken = new Set<string>();
  const open: Definition[] = [];
  return {
    define: (ref, position) => {
      const known = names.get(ref);
      if (known !== undefined) return known;
      const plain = definitionName(ref);
      const name = taken.has(plain) ? propertyNameWithHash(plain, ref) : plain;
      order.set(ref, order.size);
      names.set(ref, name);
      taken.add(name);
      open.push({ ref, name, position });
      return name;
    },
    isMetBefore: (ref, other) => (order.get(ref) ?? Infinity) <= (order.get(other) ?? -1),
    next: () => open.shift(),
  };
};

/** Decides which components a tool has once under `$defs` instead of inlining them. */
export interface SharingPolicy {
  readonly isShared: (ref: string) => boolean;
  readonly isRecursive: (ref: string) => boolean;
  /** Whether one component leads to another without passing an optional property. */
  readonly requires: (from: string, to: string) => boolean;
}

/** Characters up to which a component is always inlined. */
const SMALL = 270;

export const sharingPolicies = ({ component }: Pick<Schemas, 'component'>) => {
  const referencesIn = remembered((ref) => countReferences([component(ref)]));
  const isSmall = remembered((ref) => isSmallSchema(component(ref)));
  const isRecursive = cycleFinder((ref) => referencesIn(ref).keys());
  const requires = pathFinder((ref) => requiredComponents(component(ref)));
  return {
    onlyRecursive: { isShared: isRecursive, isRecursive, requires },
    /** Shares also components that a tool uses more than once, unless they are small. */
    repeatedIn: (args: readonly Argument[]): SharingPolicy => {
      const counts = countAll(referencesIn, countReferences(args.map(({ schema }) => schema)));
      const isRepeated = (ref: string) => (counts.get(ref) ?? 0) > 1;
      const isShared = (ref: string) => isRecursive(ref) || (isRepeated(ref) && !isSmall(ref));
      return { isShared, isRecursive, requires };
    },
  };
};

const remembered = <Value>(find: (ref: string) => Value): ((ref: string) => Value) => {
  const known = new Map<string, Value>();
  return (ref) => {
    const value = known.get(ref) ?? find(ref);
    known.set(ref, value);
    return value;
  };
};

/** Uses of each component, indirect ones included. */
const countAll = (
  referencesIn: (ref: string) => ReadonlyMap<string, number>,
  first: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const open = [first];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [ref, count] of next) {
      const before = counts.get(ref);
      if (before === undefined) open.push(referencesIn(ref));
      counts.set(ref, (before ?? 0) + count);
    }
  }
  return counts;
};

const isSmallSchema = (schema: LinkedSchema): boolean => {
  const inside = partsOf(schema);
  const isFlat = inside.every((part) => part.ref === undefined && partsOf(part).length === 0);
  return isFlat && JSON.stringify(schema).length <= SMALL;
};

const countReferences = (schemas: readonly LinkedSchema[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  const seen = new Set<LinkedSchema>();
  const open = [...schemas];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.ref !== undefined) counts.set(part.ref, (counts.get(part.ref) ?? 0) + 1);
    const inside = seen.has(part) ? [] : partsOf(part);
    seen.add(part);
    for (const one of inside) open.push(one);
  }
  return counts;
};

/** Components that a schema leads to without passing an optional property. */
const requiredComponents = (schema: LinkedSchema): ReadonlySet<string> => {
  const refs = new Set<string>();
  const seen = new Set<LinkedSchema>();
  const open = [schema];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.ref !== undefined) refs.add(part.ref);
    if (seen.has(part)) continue;
    seen.add(part);
    const { required } = part.keywords;
    const names = new Set(Array.isArray(required) ? required : []);
    const properties = (part.properties ?? []).filter(({ name }) => names.has(name));
    for (const one of partsOf({ ...part, properties })) open.push(one);
  }
  return refs;
};
