/** Drops characters at the end, without a pattern like `/x+$/`: quadratic time. @param alike - matches one character */
export const trimmedEnd = (text: string, alike: RegExp): string => {
  let end = text.length;
  while (end > 0 && alike.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

export const trimmed = (text: string, alike: RegExp): string => {
  const rest = trimmedEnd(text, alike);
  let start = 0;
  while (start < rest.length && alike.test(rest.charAt(start))) start += 1;
  return rest.slice(start);
};

/** At most so many characters of a text, with an ellipsis where it is longer. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;

/** A clause as a sentence: with a capital letter and a full stop. */
export const asSentence = (clause: string): string =>
  `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** ASCII only: another letter may share an ASCII lower case (the Kelvin sign: `k`), and pass for a known name. */
export const asciiLowerCase = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** NFKD without accents and marks; these are removed before, too, since normalizing many takes quadratic time. */
export const withoutMarks = (text: string): string =>
  text.replaceAll(MARK, '').normalize('NFKD').replaceAll(MARK, '');

const MARK = /\p{M}/gu;

/** The characters that the most usual entities of HTML stand for. Source: WHATWG HTML §13.5. */
export const withoutEntities = (text: string): string =>
  text.replaceAll(/&([a-z]{2,5}|#39);/g, (written, name: string) => ENTITIES.get(name) ?? written);

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', ' '],
]);
