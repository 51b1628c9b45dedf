/** Words of other programs for these commands. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map(
  [
    'ls list servers deployments',
    'show get info',
    'doctor status',
    'deploy create publish push add',
    'set update edit',
    'check lint validate',
    'rm delete remove destroy',
    'use switch select',
    'pause stop',
    'resume start',
    'signup register',
    'login signin',
    'logout signout',
    'account whoami',
    'credential secret key',
    'config connect',
    'call run try',
    'versions history',
    'rollback undo',
    'logs activity',
    'open console',
  ].flatMap((line) => {
    const [command = '', ...others] = line.split(' ');
    return others.map((word) => [word, command] as const);
  }),
);

/** The known word that was probably meant: a synonym, a unique beginning, or a similar spelling. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const typed = word.toLowerCase();
  const other = OTHER_WORDS.get(typed);
  if (other !== undefined && known.includes(other)) return other;
  if (typed.length > LONGEST) return undefined;
  const begun = known.filter((one) => typed.length > 1 && one.startsWith(typed));
  if (begun.length === 1) return begun[0];
  const [first] = known
    .map((one) => ({ one, distance: distanceOf(typed, one) }))
    .toSorted((a, b) => a.distance - b.distance);
  const isNear = first && first.distance <= Math.max(1, Math.floor(first.one.length / 3));
  return isNear ? first.one : undefined;
};

/** Longer words are not compared: no command has so many letters. */
const LONGEST = 32;

/** Number of letters to change, remove, insert or swap: optimal string alignment distance. */
const distanceOf = (from: string, to: string): number => {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 0; i < from.length; i += 1) {
    const row = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const isSwapped = from[i] === to[j - 1] && from[i - 1] === to[j];
      row.push(
        Math.min(
          plus(last[j + 1], 1),
          plus(row[j], 1),
          plus(last[j], Number(from[i] !== to[j])),
          isSwapped ? plus(before[j - 1], 1) : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, row];
  }
  return plus(last[to.length], 0);
};

const plus = (distance: number | undefined, more: number): number =>
  (distance ?? Number.POSITIVE_INFINITY) + more;
