import { cycleFinder, pathFinder } from '../json-schema/reference-graph.ts';
import type { Argument } from '../operation/argument.ts';
import { type LinkedSchema, partsOf } from '../schema/linked-schema.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { countReferences, requiredComponents } from './component-references.ts';

/** Which components of a tool stand once under `$defs` instead of wherever they are used. */
export interface SharingPolicy {
  readonly isShared: (ref: string) => boolean;
  readonly isRecursive: (ref: string) => boolean;
  /** Whether a component leads to another without a property in between that may be left out. */
  readonly requires: (from: string, to: string) => boolean;
}

export interface SharingPolicies {
  /** Recursive components have to be shared. */
  readonly onlyRecursive: SharingPolicy;
  /** So are those that a tool uses more than once, unless they are small. */
  readonly repeatedIn: (args: readonly Argument[]) => SharingPolicy;
}

/** Components that take no more characters than this are not worth a definition. */
const SMALL = 270;

/** The policies for the tools of one description; each component is looked through once. */
export const sharingPolicies = ({ component }: Pick<Schemas, 'component'>): SharingPolicies => {
  const referencesIn = remembered((ref) => countReferences([component(ref)]));
  const isSmall = remembered((ref) => isSmallSchema(component(ref)));
  const isRecursive = cycleFinder((ref) => referencesIn(ref).keys());
  const requires = pathFinder((ref) => requiredComponents(component(ref)));
  return {
    onlyRecursive: { isShared: isRecursive, isRecursive, requires },
    repeatedIn: (args) => {
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

/** How often each component is used, all components counted that the first ones need. */
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

/** Plain values, or lists of them. */
const isSmallSchema = (schema: LinkedSchema): boolean => {
  const inside = partsOf(schema);
  const isFlat = inside.every((part) => part.ref === undefined && partsOf(part).length === 0);
  return isFlat && JSON.stringify(schema).length <= SMALL;
};
