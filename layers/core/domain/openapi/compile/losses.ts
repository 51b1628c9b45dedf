import type { ToolNote } from '../../tool-note.ts';
import { bounded, notesOn, placeName } from './places.ts';

/** What a tool's arguments have lost to shortness: places are JSON pointers into its `inputSchema`. */
export interface Losses {
  texts: number;
  examples: number;
  /** Lists of values that are told in words. */
  readonly values: string[];
  /** Schemas whose inside is left out. */
  readonly insides: string[];
}

export const noLosses = (): Losses => ({ texts: 0, examples: 0, values: [], insides: [] });

/** Whether more is lost than texts and examples: what a model may send is not all told. */
export const isCut = ({ values, insides }: Losses): boolean => values.length + insides.length > 0;

/** In a few words: `3 texts, 2 examples, what is inside filter, sort[]`. */
export const lossesInWords = ({ texts, examples, values, insides }: Losses): string =>
  [
    ...(texts > 0 ? [counted(texts, 'text')] : []),
    ...(examples > 0 ? [counted(examples, 'example')] : []),
    ...(values.length > 0 ? [`the values of ${placeList(values)}`] : []),
    ...(insides.length > 0 ? [`what is inside ${placeList(insides)}`] : []),
  ].join(', ');

/** @param why - they were necessary */
export const lossNotes = (losses: Losses, why: string): readonly ToolNote[] => [
  ...(losses.texts > 0 ? [{ what: `${counted(losses.texts, 'text')} shortened`, why }] : []),
  ...(losses.examples > 0
    ? [{ what: `${counted(losses.examples, 'example')} left out`, why }]
    : []),
  ...notesOn(losses.values.map((at) => [at, { what: 'the values are told in words', why }])),
  ...notesOn(losses.insides.map((at) => [at, { what: 'what is inside is left out', why }])),
];

const placeList = (pointers: readonly string[]): string =>
  bounded([...new Set(pointers.map(placeName))], 4).join(', ');

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
