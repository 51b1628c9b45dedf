import { definitionName, propertyNameWithHash } from '../schema/property-names.ts';
import type { Position } from './position.ts';

/** The components that stand under `$defs` of one tool, each once. */
export interface Definitions {
  /** Its name there. @param position - where it is referred to; its first reference counts */
  readonly define: (ref: string, position: Position) => string;
  /** Whether `ref` was met no later than `other`; false if it was not met at all. */
  readonly isMetBefore: (ref: string, other: string) => boolean;
  /** The next one that is still to be emitted, the first met first. */
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
