import type { Output } from '../output.ts';
import { plain } from '../text/plain.ts';
import { sentence } from '../text/words.ts';
import type { Step } from './step.ts';

const MARKS = { ok: 'ok', failed: 'FAILED', warning: 'warning', skipped: 'skipped' } as const;
const COLOURS = { ok: 'green', failed: 'red', warning: 'yellow', skipped: 'dim' } as const;
const MARK_WIDTH = 9;

/** A step for people: what was found, why, and what to do. */
export const stepLines = (
  { step, outcome, what, cause, hint }: Step,
  { paint }: Pick<Output, 'paint'>,
): readonly string[] => [
  `${paint(COLOURS[outcome], MARKS[outcome].padEnd(MARK_WIDTH))}${plain(`${step}: ${what}`)}`,
  ...[cause, hint].flatMap((text) =>
    text === undefined ? [] : [`${' '.repeat(MARK_WIDTH)}${plain(sentence(text))}`],
  ),
];
