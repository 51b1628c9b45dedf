import type { Change } from '../../tool-note.ts';
import { definitionName, propertyNameWithHash } from './names.ts';

/** The components that stand under `$defs` of one tool, each once. */
export interface Definitions<Use> {
  /** Its name there. @param use - where it was met first */
  readonly define: (ref: string, use: Use) => string;
  /** Whether `ref` was met no later than `other`; false if it was not met at all. */
  readonly isMetBefore: (ref: string, other: string) => boolean;
  /** The next one that is still to be written, the first met first. */
  readonly next: () => Definition<Use> | undefined;
}

export interface Definition<Use> {
  readonly ref: string;
  readonly name: string;
  readonly use: Use;
}

export const noDefinitions = <Use>(): Definitions<Use> => {
  const met = new Map<string, number>();
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const open: Definition<Use>[] = [];
  return {
    define: (ref, use) => {
      const before = names.get(ref);
      if (before !== undefined) return before;
      const plain = definitionName(ref);
      const name = taken.has(plain) ? propertyNameWithHash(plain, ref) : plain;
      met.set(ref, met.size);
      names.set(ref, name);
      taken.add(name);
      open.push({ ref, name, use });
      return name;
    },
    isMetBefore: (ref, other) => (met.get(ref) ?? Infinity) <= (met.get(other) ?? -1),
    next: () => open.shift(),
  };
};

/** Why a reference is cut. */
export const ENDLESS = 'Gemini takes circles only where a property may be left out';

export const reasonToRefer = (name: string, isRecursive: boolean): Change => ({
  what: `refers to ${name}, which stands under $defs`,
  why: isRecursive ? 'it contains itself' : 'it is used more than once, and large',
});
