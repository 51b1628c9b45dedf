/**
 * A text decomposed (NFKD), without accents and other marks. They are taken away before as well: putting
 * many in a row in order takes the square of their number.
 */
export const withoutMarks = (text: string): string =>
  text.replaceAll(MARK, '').normalize('NFKD').replaceAll(MARK, '');

const MARK = /\p{M}/gu;
