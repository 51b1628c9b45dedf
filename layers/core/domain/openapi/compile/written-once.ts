import type { Change } from '../../tool-note.ts';
import { type Losses, noLosses } from './losses.ts';
import { below, type Path } from './path.ts';
import type { Place } from './places.ts';

/** A schema as it stands wherever it is not cut and refers to no definition. */
export interface Written {
  readonly text: string;
  readonly spent: number;
  /** Levels of schemas in it, below itself. */
  readonly height: number;
  readonly texts: number;
  readonly examples: number;
  readonly hasReferences: boolean;
  readonly changes: readonly (readonly [below: string, change: Change])[];
  readonly renamed: readonly (readonly [below: string, wireName: string])[];
}

/** What the writing of one tool has come to. */
export interface Progress {
  /** Characters of JSON, roughly. */
  spent: number;
  /** References met, also those that were written out. */
  references: number;
  /** Those that became a `$ref`. */
  referred: number;
  /** The level of the deepest schema. */
  deepest: number;
  readonly losses: Losses;
  readonly changes: (readonly [Path, Change])[];
  /** Properties by their names on the wire. */
  readonly renamed: (readonly [Path, string])[];
}

export const noProgress = (): Progress => ({
  spent: 0,
  references: 0,
  referred: 0,
  deepest: 0,
  losses: noLosses(),
  changes: [],
  renamed: [],
});

/** Writes at a place what was written before at another one. */
export const again = (progress: Progress, written: Written, { at, depth }: Place): string => {
  const { changes, losses, renamed } = progress;
  progress.spent += written.spent;
  progress.deepest = Math.max(progress.deepest, depth + written.height);
  losses.texts += written.texts;
  losses.examples += written.examples;
  if (written.hasReferences) progress.references += 1;
  for (const [step, change] of written.changes) changes.push([{ above: at, step }, change]);
  for (const [step, name] of written.renamed) renamed.push([{ above: at, step }, name]);
  return written.text;
};

/** A schema that was just written, and how it may be written again. */
interface Recorded {
  readonly text: string;
  /** Put together only if it is wanted. */
  readonly written: () => Written;
  /** Whether something in it was cut, which depends on where it stands. */
  readonly isCut: boolean;
  /** Whether it refers to a definition. */
  readonly isReferring: boolean;
  readonly hasReferences: boolean;
}

/** Writes a schema, and records what that comes to. */
export const recorded = (
  progress: Progress,
  { at, depth }: Place,
  write: () => string,
): Recorded => {
  const { changes, losses, renamed } = progress;
  const before = { ...progress, texts: losses.texts, examples: losses.examples };
  const [firstChange, firstRenamed, cuts] = [changes.length, renamed.length, cutsIn(losses)];
  progress.deepest = depth;
  const text = write();
  const { deepest, spent } = progress;
  const hasReferences = progress.references > before.references;
  progress.deepest = Math.max(before.deepest, deepest);
  return {
    text,
    written: () => ({
      text,
      spent: spent - before.spent,
      height: deepest - depth,
      texts: losses.texts - before.texts,
      examples: losses.examples - before.examples,
      hasReferences,
      changes: changes.slice(firstChange).map(([path, change]) => [below(at, path), change]),
      renamed: renamed.slice(firstRenamed).map(([path, name]) => [below(at, path), name]),
    }),
    isCut: cutsIn(losses) > cuts,
    isReferring: progress.referred > before.referred,
    hasReferences,
  };
};

const cutsIn = ({ insides, values }: Losses): number => insides.length + values.length;
