import type { Failure } from '../failure.ts';
import type { Output } from '../output.ts';
import { plain } from '../text/plain.ts';
import { sentence } from '../text/words.ts';

export interface Step {
  readonly step: string;
  readonly outcome: 'ok' | 'failed' | 'warning' | 'skipped';
  readonly what: string;
  readonly cause?: string;
  readonly hint?: string;
}

export interface Fault {
  readonly what: string;
  readonly cause: string;
  readonly hint: string;
}

export const ok = (step: string, what: string): Step => ({ step, outcome: 'ok', what });

export const skipped = (step: string, what: string): Step => ({ step, outcome: 'skipped', what });

export const failed = (step: string, fault: Fault): Step => ({ step, outcome: 'failed', ...fault });

/** A fault that only some clients mind. */
export const warning = (step: string, fault: Fault): Step => ({
  step,
  outcome: 'warning',
  ...fault,
});

export const judged = (step: string, fault: Fault | undefined, good: string): Step =>
  fault ? failed(step, fault) : ok(step, good);

export const unreachable = ({ message, details }: Failure, step: string): Step =>
  failed(step, {
    what: message.replace(/\.$/, ''),
    cause: 'No connection, or none that holds.',
    hint: details.hint ?? 'Try again.',
  });

const MARKS = { ok: 'ok', failed: 'FAILED', warning: 'warning', skipped: 'skipped' } as const;
const COLOURS = { ok: 'green', failed: 'red', warning: 'yellow', skipped: 'dim' } as const;
const MARK_WIDTH = 9;

export const stepLines = (
  { step, outcome, what, cause, hint }: Step,
  { paint }: Pick<Output, 'paint'>,
): readonly string[] => [
  `${paint(COLOURS[outcome], MARKS[outcome].padEnd(MARK_WIDTH))}${plain(`${step}: ${what}`)}`,
  ...[cause, hint].flatMap((text) =>
    text === undefined ? [] : [`${' '.repeat(MARK_WIDTH)}${plain(sentence(text))}`],
  ),
];
