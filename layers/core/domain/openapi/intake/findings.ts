import { type ApiCode, ApiRefusal, type Finding } from '../../refusal.ts';

const MAX_FINDINGS = 20;
/** Fewer are shown together; each tool tells those that are its own. */
const MAX_WARNINGS = 2000;
const MAX_POINTER = 1000;
const MAX_TEXT = 400;

/** A finding that is safe to show: bounded, and without control characters, whatever the description holds. */
export const finding = (where: string, what: string, mend: string): Finding => ({
  where: shown(where, MAX_POINTER),
  what: shown(what, MAX_TEXT),
  mend: shown(mend, MAX_TEXT),
});

/** A refusal with the first 20 of these findings; the description says how many there are. */
export const refusal = (
  code: ApiCode,
  description: string,
  findings: readonly Finding[],
): ApiRefusal =>
  findings.length <= MAX_FINDINGS
    ? new ApiRefusal(code, description, findings)
    : new ApiRefusal(
        code,
        `${description} There are ${findings.length} such places; the first ${MAX_FINDINGS} are listed.`,
        findings.slice(0, MAX_FINDINGS),
      );

/** Collects warnings. Beyond 2,000 it only counts, and says so at the end. */
export interface Warnings {
  readonly add: (where: string, what: string, mend: string) => void;
  readonly all: () => readonly Finding[];
}

export const noWarnings = (): Warnings => {
  const kept: Finding[] = [];
  let more = 0;
  return {
    add: (where, what, mend) => {
      if (kept.length < MAX_WARNINGS) kept.push(finding(where, what, mend));
      else more += 1;
    },
    all: () =>
      more === 0
        ? kept
        : [...kept, finding('', `there are ${more} more warnings`, 'Mend the ones listed first.')],
  };
};

const shown = (text: string, max: number): string =>
  (text.length <= max ? text : `${text.slice(0, max)}…`)
    .replaceAll(/\p{Cc}/gu, '\uFFFD')
    .toWellFormed();
