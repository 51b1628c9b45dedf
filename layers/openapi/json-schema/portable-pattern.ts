const ATOMS = String.raw`\\[dDwWsSbBnrtfv]|\\x[\dA-Fa-f]{2}|\\[!-/:-@[-\x60{-~]`;
const IN_CLASS = String.raw`\\[dDwWsSnrtfv]|\\x[\dA-Fa-f]{2}|\\[!-/:-@[-\x60{-~]|[^\\[\]]`;
const CLASS = String.raw`\[(?:\^(?!\])|(?![\^\]]))(?:${IN_CLASS})+\]`;
/** RE2 refuses higher counts. Source: RE2, "Syntax", `x{n,m}`. */
const TIMES = String.raw`(?:[*+?]|\{(?:\d{1,3}|1000)(?:,(?:\d{1,3}|1000)?)?\})\??`;
const PORTABLE = new RegExp(
  String.raw`^(?:\((?:\?:)?(?!\?)|(?:${ATOMS}|${CLASS}|\)|[^\\[\]{}()*+?])(?:${TIMES})?)*$`,
  'u',
);

/**
 * The pattern if ECMA-262, Python's `re` and RE2 read it alike; undefined if one would refuse it: `\p{L}`, look-around,
 * back-references, `\u{...}`, and named groups, which each writes differently.
 * Source: ECMA-262, "RegExp (Regular Expression) Objects"; Python, "re", Regular Expression Syntax; RE2, "Syntax".
 */
export const portablePattern = (pattern: string): string | undefined =>
  PORTABLE.test(pattern) ? pattern : undefined;
