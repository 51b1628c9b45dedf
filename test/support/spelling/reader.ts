/**
 * Whether somebody who undoes what programs do to a text finds a secret in it: whole texts are decoded, again and
 * again, in every order. It knows nothing of how the service masks.
 */
export const readerFinds = (text: string, secret: string): boolean => {
  const seen = new Set([text]);
  let known = [text];
  for (let depth = 0; depth < MOST_DECODED; depth += 1) {
    if (known.some((one) => one.includes(secret) || isEncodedIn(one, secret))) return true;
    const next = known.flatMap((one) => DECODERS.map((decode) => decode(one)));
    known = [...new Set(next)].filter((one) => !seen.has(one));
    for (const one of known) seen.add(one);
  }
  return false;
};

const MOST_DECODED = 6;

const character = (digits: string, radix: number): string => {
  const code = parseInt(digits, radix);
  return code <= 0x10_ffff ? String.fromCodePoint(code) : '';
};

const NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  plus: '+',
  equals: '=',
  sol: '/',
  colon: ':',
  period: '.',
  lowbar: '_',
  bsol: '\\',
  ouml: 'ö',
  szlig: 'ß',
};
const BLANKS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

const DECODERS: readonly ((text: string) => string)[] = [
  (text) =>
    text.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|([^]))/gi, (_, four, two, other: string) =>
      other === undefined
        ? String.fromCharCode(parseInt(four ?? two, 16))
        : (BLANKS[other] ?? other),
    ),
  (text) =>
    text.replace(/(?:%[\da-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    ),
  (text) =>
    text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (found, hex, decimal, name: string) => {
      if (name !== undefined) return NAMES[name] ?? found;
      return hex === undefined ? character(decimal, 10) : character(hex, 16);
    }),
  (text) => text.replaceAll('+', ' '),
];

/** As base64, base64url or hexadecimal, wherever it begins in a run of their digits. */
const isEncodedIn = (text: string, secret: string): boolean => {
  const inOne = text.replace(/\s+/g, '');
  const runs = inOne.match(/[\w+/-]{8,}/g) ?? [];
  return runs.some((run) => {
    const decoded = [0, 1, 2, 3].map((skipped) =>
      Buffer.from(run.slice(skipped), 'base64').toString('utf8'),
    );
    const digits = run.replace(/[^\da-f]+/gi, '');
    const bytes = [0, 1].map((skipped) =>
      Buffer.from(digits.slice(skipped), 'hex').toString('utf8'),
    );
    const all = [...decoded, ...bytes];
    return all.some(
      (one) => one.includes(secret) || one.includes(JSON.stringify(secret).slice(1, -1)),
    );
  });
};
