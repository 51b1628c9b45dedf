/**
 * Refuses a regular expression that is not known to take linear time: `node test/patterns/check.ts`, a gate of
 * `npm test`. What it reads are the sources, the record of what has been proved, and the exemptions.
 */
import { readFileSync } from 'node:fs';
import { type Exemption, LITERAL_EXEMPTIONS, PUT_TOGETHER_EXEMPTIONS } from './exemptions.ts';
import { type Patterns, patternsOfTheService } from './sources.ts';

export const RECORD = new URL('linear.json', import.meta.url);

export const recordedAsLinear = (): readonly string[] => JSON.parse(readFileSync(RECORD, 'utf8'));

export interface Known {
  readonly linear: readonly string[];
  readonly literals: readonly Exemption[];
  readonly putTogether: readonly Exemption[];
}

export const known = (): Known => ({
  linear: recordedAsLinear(),
  literals: LITERAL_EXEMPTIONS,
  putTogether: PUT_TOGETHER_EXEMPTIONS,
});

/** A pattern without a repetition is linear in any text. */
export const repeats = (pattern: string): boolean => /[*+{]/.test(pattern);

/** @returns what is wrong, a sentence each */
export const faultsOf = (
  patterns: Patterns,
  { linear, literals, putTogether }: Known,
): string[] => {
  const isKnown = new Set([...linear, ...literals.map(({ text }) => text)]);
  const isExempt = new Set(putTogether.map(({ text }) => text));
  const found = new Set([...patterns.literals, ...patterns.putTogether].map(({ text }) => text));
  return [
    ...patterns.literals
      .filter(({ text }) => repeats(text) && !isKnown.has(text))
      .map(({ text, at }) => `${at}: ${text} is not recorded as linear: ${HOW}`),
    ...patterns.putTogether
      .filter(({ text }) => !isExempt.has(text))
      .map(
        ({ text, at }) => `${at}: ${text} is put together, and nobody has said why it is linear`,
      ),
    ...[...isKnown, ...isExempt]
      .filter((text) => !found.has(text))
      .map((text) => `${text} is in no source any more: ${HOW}`),
  ];
};

const HOW = 'run `node test/patterns/record.ts`, or see test/patterns/exemptions.ts';

if (import.meta.main) {
  const faults = faultsOf(patternsOfTheService(), known());
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
