import type { ToolNote } from '../tool-note.ts';
import { argumentPath, bounded, groupedNotes } from './argument-notes.ts';

/** What the arguments of a tool have lost to shortness: lists hold JSON pointers into its `inputSchema`. */
export interface Omissions {
  texts: number;
  examples: number;
  /** Lists of values that are told in words. */
  readonly values: string[];
  /** Schemas whose inside is left out. */
  readonly insides: string[];
}

export const noOmissions = (): Omissions => ({ texts: 0, examples: 0, values: [], insides: [] });

/** Whether more is left out than texts and examples: not all is told of what a model may send. */
export const isCut = ({ values, insides }: Omissions): boolean =>
  values.length + insides.length > 0;

/** In a few words: `3 texts, 2 examples, what is inside filter, sort[]`. */
export const describeOmissions = ({ texts, examples, values, insides }: Omissions): string =>
  [
    ...(texts > 0 ? [counted(texts, 'text')] : []),
    ...(examples > 0 ? [counted(examples, 'example')] : []),
    ...(values.length > 0 ? [`the values of ${argumentList(values)}`] : []),
    ...(insides.length > 0 ? [`what is inside ${argumentList(insides)}`] : []),
  ].join(', ');

/** @param why - they were necessary */
export const omissionNotes = (omissions: Omissions, why: string): readonly ToolNote[] => {
  const { texts, examples, values, insides } = omissions;
  const noteOn = (what: string) => (pointer: string) => ({ pointer, change: { what, why } });
  return [
    ...(texts > 0 ? [{ what: `${counted(texts, 'text')} shortened`, why }] : []),
    ...(examples > 0 ? [{ what: `${counted(examples, 'example')} left out`, why }] : []),
    ...groupedNotes(values.map(noteOn('the values are described in words'))),
    ...groupedNotes(insides.map(noteOn('what is inside is left out'))),
  ];
};

const argumentList = (pointers: readonly string[]): string =>
  bounded([...new Set(pointers.map(argumentPath))], 4).join(', ');

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
