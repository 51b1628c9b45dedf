import type { Json } from '../wire/json.ts';

/** What dynalite's parser of expressions is given beside the text; it deletes from `unused…` what it meets. */
export interface ExpressionContext {
  readonly attrNames?: Readonly<Record<string, string>>;
  readonly attrVals?: Readonly<Record<string, Json>>;
  readonly unusedAttrNames?: Record<string, true>;
  readonly unusedAttrVals?: Record<string, true>;
}

export interface ExpressionParser {
  /** @returns the syntax tree, or what is wrong as a text; @throws SyntaxError */
  parse(text: string, options: { readonly context: ExpressionContext }): unknown;
}

/** Makes the tree anew, with the values of another request. */
type Make = (values: Readonly<Record<string, Json>>) => unknown;

interface Remembered {
  readonly make: Make;
  /** Placeholders that the expression uses: `#name`. */
  readonly names: readonly string[];
  /** And `:value`. */
  readonly values: readonly string[];
}

/** Of each parser; the service itself has some fifty. */
const MOST_REMEMBERED = 500;
/** Their verdict depends on values, not only on types. */
const LOOKS_AT_VALUES = /between|attribute_type/i;

/**
 * Remembers syntax trees: the same few expressions come with every request, and parsing one costs more than
 * all the rest of a write. A tree holds the values that its expression names; each use is a copy with the
 * values of the request at hand.
 */
export const rememberParsed = (parser: ExpressionParser): void => {
  const parse = parser.parse;
  const remembered = new Map<string, Remembered>();
  parser.parse = (text, options) => {
    const { attrNames = {}, attrVals = {}, unusedAttrNames, unusedAttrVals } = options.context;
    const types = Object.entries(attrVals).map(([name, value]) => [name, Object.keys(value)[0]]);
    const key = JSON.stringify([text, attrNames, types]);
    const known = remembered.get(key);
    if (known) {
      for (const name of known.names) delete unusedAttrNames?.[name];
      for (const name of known.values) delete unusedAttrVals?.[name];
      return known.make(attrVals);
    }
    const tree = parse(text, options);
    // A tree is an object; a text says what is wrong.
    if (typeof tree === 'string' || LOOKS_AT_VALUES.test(text)) return tree;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    const names = new Map(
      Object.entries(attrVals).map(([name, value]) => [value as unknown, name]),
    );
    remembered.set(key, {
      make: makerOf(tree, names),
      names: text.match(/#\w+/g) ?? [],
      values: text.match(/:\w+/g) ?? [],
    });
    return tree;
  };
};

/** @param names - of the values, which the tree holds themselves */
const makerOf = (node: unknown, names: ReadonlyMap<unknown, string>): Make => {
  if (typeof node !== 'object' || node === null) return () => node;
  const name = names.get(node);
  if (name !== undefined) return (values) => values[name];
  if (Array.isArray(node)) {
    const parts = node.map((part) => makerOf(part, names));
    return (values) => parts.map((make) => make(values));
  }
  const members = Object.entries(node).map(([key, part]) => [key, makerOf(part, names)] as const);
  return (values) => {
    // Without a prototype, as dynalite looks attributes up in some of them by name.
    const copy: Record<string, unknown> = Object.create(null);
    for (const [key, make] of members) copy[key] = make(values);
    return copy;
  };
};
