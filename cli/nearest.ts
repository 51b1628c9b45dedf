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

/** How many letters are to be changed, left out, put in or swapped with the next: Damerau-Levenshtein, adjacent. */
const distanceOf = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(
        Math.min(
          rows[i - 1]![j]! + 1,
          row[j - 1]! + 1,
          rows[i - 1]![j - 1]! + Number(!isSame),
          isSwapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows[from.length]![to.length]!;
};
