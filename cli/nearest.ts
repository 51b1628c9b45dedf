/** What people call commands elsewhere. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  list: 'ls',
  servers: 'ls',
  deployments: 'ls',
  get: 'show',
  info: 'show',
  status: 'doctor',
  create: 'deploy',
  publish: 'deploy',
  push: 'deploy',
  add: 'deploy',
  update: 'set',
  edit: 'set',
  lint: 'check',
  validate: 'check',
  delete: 'rm',
  remove: 'rm',
  destroy: 'rm',
  switch: 'use',
  select: 'use',
  stop: 'pause',
  start: 'resume',
  register: 'signup',
  signin: 'login',
  signout: 'logout',
  whoami: 'account',
  secret: 'credential',
  key: 'credential',
  connect: 'config',
  run: 'call',
  try: 'call',
  history: 'versions',
  undo: 'rollback',
  activity: 'logs',
  console: 'open',
};

/**
 * What was probably meant by a word that is none of those that there are: another word for it, a beginning,
 * or one with few letters otherwise.
 */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const typed = word.toLowerCase();
  const other = Object.hasOwn(OTHER_WORDS, typed) ? OTHER_WORDS[typed] : undefined;
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

/** No command is longer; what is, is compared with none. */
const LONGEST = 32;

/** How many letters are to be changed, left out, put in or swapped with the next: optimal string alignment. */
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
