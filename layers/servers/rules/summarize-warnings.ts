import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { shortened } from '../../platform/rules/text.ts';

/** Limit, since warnings are stored with the version and shown with the deployment. */
const MAX_WARNINGS = 200;
/** How many places of the same warning are shown. */
const MAX_ALIKE = 3;
/** Characters of each text of a warning, since paths and addresses in it can be of any length. */
const LONGEST = 500;

/** Shortens a publication's warnings for people: a few places of each, and a limit on all. */
export const summarizeWarnings = (warnings: readonly Finding[]): readonly Finding[] => {
  const kinds = Map.groupBy(warnings, ({ what, hint }) => `${what}\n${hint}`);
  const shown = [...kinds.values()].flatMap(fewOf).map(shortFinding);
  const more = shown.length - MAX_WARNINGS;
  if (more <= 0) return shown;
  const what = `there are ${more} more warnings`;
  return [
    ...shown.slice(0, MAX_WARNINGS),
    { where: '', what, hint: 'Correct those listed first.' },
  ];
};

/** Shows a few places of one warning, the last with the number of those left out. */
const fewOf = (alike: readonly Finding[]): readonly Finding[] => {
  const shown = alike.slice(0, MAX_ALIKE);
  const last = shown.at(-1);
  const more = alike.length - shown.length;
  if (last === undefined || more === 0) return shown;
  const places = more === 1 ? 'one more place' : `${more} more places`;
  return [...shown.slice(0, -1), { ...last, what: `${last.what}, and so at ${places}` }];
};

const shortFinding = ({ where, what, hint }: Finding): Finding => ({
  where: shortened(where, LONGEST),
  what: shortened(what, LONGEST),
  hint: shortened(hint, LONGEST),
});
