import { estimateLongTokens, estimateTokens } from '../../openapi/model-apis/token-estimate.ts';
import { cutJson } from './cut-json.ts';
import { elementEnds, type StreamForm } from '../../target/rules/stream-elements.ts';

/** The part of a long answer that a model is shown. */
export interface AnswerExcerpt {
  /** JSON where the answer is JSON, else whole lines of it. */
  readonly shown: string;
  readonly isJson: boolean;
  /** `18 of 500 elements of /data`, `the first 200 of 4000 lines`. */
  readonly howMuch: string;
  /** Whether not one element or member fits. */
  readonly isEmpty: boolean;
  /** What is not shown, in pieces that take about as much as what is; all of it together. */
  pieces(): readonly string[];
}

/** No text takes more than this for a character: single digits between marks. */
const MOST_TOKENS_PER_CHARACTER = 1.6;
/** Pieces of an answer become larger than what is shown before there are more of them. */
const MOST_PIECES = 50;
const TRIES = 4;

/**
 * The beginning of a text that takes more tokens than it may, cut at whole elements.
 *
 * @param budget - tokens, roughly
 * @param form - of a stream
 * @returns undefined for a text within its budget
 *
 * Source: docs/tools.md, "The budget for answers".
 */
export const answerExcerpt = (
  text: string,
  budget: number,
  form?: StreamForm,
): AnswerExcerpt | undefined => {
  if (text.length * MOST_TOKENS_PER_CHARACTER <= budget) return undefined;
  const density = Math.max(estimateLongTokens(text) / text.length, 0.01);
  if (text.length * density <= budget) return undefined;

  let most = Math.floor(budget / density);
  let excerpt = excerptOf(text, most, form);
  // Its beginning may be denser than the whole.
  for (let tries = 1; tries < TRIES; tries += 1) {
    const tokens = estimateTokens(excerpt.shown);
    if (tokens <= budget) break;
    most = Math.floor(most * (budget / tokens) * 0.95);
    excerpt = excerptOf(text, most, form);
  }
  return excerpt;
};

const excerptOf = (text: string, most: number, form: StreamForm | undefined): AnswerExcerpt => {
  const perPiece = Math.max(most, Math.ceil(text.length / MOST_PIECES));
  if (form) return elementsOf(text, most, perPiece, form) ?? linesOf(text, most, perPiece);
  const cut = cutJson(text, most);
  if (!cut) return linesOf(text, most, perPiece);
  const { shown, pointer, of, shownCount, totalCount } = cut;
  const whose = pointer === '' ? '' : ` of ${JSON.stringify(pointer)}`;
  return {
    shown,
    isJson: true,
    howMuch: `${shownCount} of ${totalCount} ${of}${whose}`,
    isEmpty: shownCount === 0,
    pieces: () => cut.pieces(perPiece),
  };
};

/** @returns undefined where not even the first element fits */
const elementsOf = (
  text: string,
  most: number,
  perPiece: number,
  form: StreamForm,
): AnswerExcerpt | undefined => {
  const ends = elementEnds(text, form);
  // Behind the last line break, the end of what was sent whole.
  if (text.slice(ends.at(-1) ?? 0).trim() !== '') ends.push(text.length);
  const shownCount = ends.findLastIndex((end) => end <= most) + 1;
  if (shownCount === 0) return undefined;
  const shownEnd = ends[shownCount - 1] ?? 0;
  return {
    shown: text.slice(0, shownEnd),
    isJson: false,
    howMuch: `the first ${shownCount} of ${ends.length} ${form}`,
    isEmpty: false,
    pieces: () => {
      const pieces: string[] = [];
      let from = shownEnd;
      for (let at = shownCount; at < ends.length; at += 1) {
        const isLast = at === ends.length - 1;
        if (!isLast && (ends[at + 1] ?? 0) - from <= perPiece) continue;
        const to = isLast ? text.length : (ends[at] ?? text.length);
        pieces.push(text.slice(from, to));
        from = to;
      }
      return pieces;
    },
  };
};

const linesOf = (text: string, most: number, perPiece: number): AnswerExcerpt => {
  const end = lineEnd(text, 0, most);
  return {
    shown: text.slice(0, end),
    isJson: false,
    howMuch: `the first ${end} of ${text.length} characters`,
    isEmpty: false,
    pieces: () => {
      const pieces: string[] = [];
      for (let from = end; from < text.length;) {
        const to = lineEnd(text, from, perPiece);
        pieces.push(text.slice(from, to));
        from = to;
      }
      return pieces;
    },
  };
};

/** Behind the last line break that fits, or within a line that is longer than half of what may be shown. */
const lineEnd = (text: string, from: number, most: number): number => {
  const to = from + Math.max(most, 1);
  if (to >= text.length) return text.length;
  const end = text.lastIndexOf('\n', to - 1) + 1;
  if (end > from + most / 2) return end;
  const code = text.charCodeAt(to - 1);
  // Both halves of a pair, or neither.
  return code >= 0xd800 && code <= 0xdbff ? to + 1 : to;
};
