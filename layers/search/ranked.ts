import { isObject } from '../platform/rules/json/json.ts';
import { parsedJson } from '../platform/rules/json/parsed-json.ts';

/** Weight of a word by the field in which it occurs. */
export const WEIGHTS: Readonly<Record<RankedField, number>> = {
  name: 3,
  summary: 3,
  subject: 3,
  path: 2,
  keywords: 5,
  areas: 0.8,
  verbs: 0.6,
  arguments: 0.6,
  values: 0.5,
  hints: 0.8,
  description: 0.8,
};

/** Effect of a field's length on the weight of its words, 0 to 1. Source: Robertson and Zaragoza, BM25F, §3.5. */
const LENGTH_COUNTS = 0.4;
/** Occurrences beyond which repetitions add little (`k1` of BM25). */
const SATURATION = 2;

/** Rarity of a word that all operations have: the field where it occurs still says something. */
const LEAST_RARITY = 0.7;

export type RankedField =
  | 'name'
  | 'summary'
  | 'subject'
  | 'path'
  | 'keywords'
  | 'areas'
  | 'verbs'
  | 'arguments'
  | 'values'
  | 'hints'
  | 'description';

export interface Occurrences {
  /** Inverse document frequency: higher the fewer operations have the word. */
  readonly rarity: number;
  readonly ids: readonly number[];
  /** Weight of the word in each of these operations, 0 to 1. */
  readonly strengths: readonly number[];
}

export type RankedWords = ReadonlyMap<string, Occurrences>;

/** Reads the ranked index of any version of this service: a field that an older index lacks counts as empty. */
export const readRanked = (json: string): RankedWords => {
  const stored = parsedJson(json) as Stored;
  const fields = Object.entries(stored.fieldIds).map(([name, id]) => ({
    id: String(id),
    weight: WEIGHTS[name as RankedField] ?? 0,
    usual: stored.averageFieldLength[id] || 1,
    lengthAt: id,
  }));
  const words = new Map<string, Occurrences>();
  for (const [word, inFields] of stored.index) {
    const counted = new Map<number, number>();
    for (const { id, weight, usual, lengthAt } of fields) {
      const inDocuments = inFields[id];
      if (!isObject(inDocuments) || weight === 0) continue;
      for (const [document, count] of Object.entries(inDocuments)) {
        const length = stored.fieldLength[document]?.[lengthAt] ?? usual;
        const share = Number(count) / (1 - LENGTH_COUNTS + (LENGTH_COUNTS * length) / usual);
        const place = stored.documentIds[document] ?? 0;
        counted.set(place, (counted.get(place) ?? 0) + weight * share);
      }
    }
    words.set(word, {
      rarity:
        LEAST_RARITY +
        Math.log(1 + (stored.documentCount - counted.size + 0.5) / (counted.size + 0.5)),
      ids: [...counted.keys()],
      strengths: [...counted.values()].map((count) => count / (SATURATION + count)),
    });
  }
  return words;
};

/** Serialized form of MiniSearch, `serializationVersion` 2. */
interface Stored {
  readonly documentCount: number;
  readonly documentIds: Readonly<Record<string, number>>;
  readonly fieldIds: Readonly<Record<string, number>>;
  readonly fieldLength: Readonly<Record<string, readonly number[]>>;
  readonly averageFieldLength: readonly number[];
  readonly index: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
}
