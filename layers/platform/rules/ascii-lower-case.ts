/**
 * ASCII only: the lower case of some letters is another letter's (the Kelvin sign's is `k`), so that a
 * stranger's name would pass for a known one.
 */
export const asciiLowerCase = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
