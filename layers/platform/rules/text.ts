/**
 * A text without the characters at its end that are alike. `/x+$/` would begin anew at each of a million that
 * stand elsewhere.
 *
 * @param alike - matches one character
 */
export const trimmedEnd = (text: string, alike: RegExp): string => {
  let end = text.length;
  while (end > 0 && alike.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

/** The same at both ends. */
export const trimmed = (text: string, alike: RegExp): string => {
  const rest = trimmedEnd(text, alike);
  let start = 0;
  while (start < rest.length && alike.test(rest.charAt(start))) start += 1;
  return rest.slice(start);
};

/**
 * ASCII only: the lower case of some letters is another letter's (the Kelvin sign's is `k`), so that a
 * stranger's name would pass for a known one.
 */
export const asciiLowerCase = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * A text decomposed (NFKD), without accents and other marks. They are taken away before as well: putting
 * many in a row in order takes the square of their number.
 */
export const withoutMarks = (text: string): string =>
  text.replaceAll(MARK, '').normalize('NFKD').replaceAll(MARK, '');

const MARK = /\p{M}/gu;
