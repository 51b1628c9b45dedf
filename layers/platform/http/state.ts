/**
 * The `state` of a query, percent-encoded as it goes back, so that its bytes survive whatever they
 * are: text, or bytes that are no UTF-8.
 *
 * @param query - without the question mark
 * @returns undefined if there is none, an empty one, or two
 *
 * Source: RFC 6749 §4.1.1, §4.1.2.
 */
export const encodedState = (query: string): string | undefined => {
  const states = query.split('&').filter((pair) => nameOf(pair) === 'state');
  const [pair = '', second] = states;
  const at = pair.indexOf('=');
  const value = second === undefined && at >= 0 ? pair.slice(at + 1) : '';
  return value === '' ? undefined : canonical(value);
};

const nameOf = (pair: string): string | undefined => [...new URLSearchParams(pair).keys()][0];

/** What is encoded stays so; a plus is a space in a query, and a lone percent sign only itself. */
const canonical = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll('+', '%20')
    .replace(/%(?![\da-f]{2})|[^\w.~%-]+/gi, encodeURIComponent);
