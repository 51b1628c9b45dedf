import type { Json } from '../wire/json.ts';

/** Context that dynalite passes to its parser of expressions, which deletes what it meets from `unused…`. */
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

type Make = (values: Readonly<Record<string, Json>>) => unknown;

interface Remembered {
  readonly make: Make;
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** Most trees of one parser; the service itself has some fifty expressions. */
const MOST_REMEMBERED = 500;
/** The parser judges these by values, not only by their types, so their trees cannot be reused. */
const LOOKS_AT_VALUES = /between|attribute_type/i;

/** Caches syntax trees: parsing costs more than the rest of a write. Each use is a copy with its request's values. */
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
    // A text in place of a tree says what is wrong.
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

/** @param names - placeholders, by the very value objects that the tree contains */
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
