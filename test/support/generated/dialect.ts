import * as fc from 'fast-check';
import type { Json } from '../../../layers/platform/rules/json/json.ts';

/** The dialects that are read, by the versions that are written into descriptions. */
export type Version = '2.0' | '3.0.4' | '3.1.1' | '3.2.0';
export const VERSIONS: readonly Version[] = ['2.0', '3.0.4', '3.1.1', '3.2.0'];

export type Node = Readonly<Record<string, Json>>;

export const isSwagger = (version: Version): boolean => version === '2.0';

/** Whether schemas are JSON Schema 2020-12. */
export const isModern = (version: Version): boolean => version === '3.1.1' || version === '3.2.0';

/** Each member is there or not. */
export const optional = (shape: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<Node> =>
  fc.record(shape, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Node>;

/** One of these, the first of which is where shrinking ends. */
export const oneOf = <Item>(...items: readonly Item[]): fc.Arbitrary<Item> =>
  fc.constantFrom(...items);

/** Both, joined. */
export const joined = (...parts: readonly fc.Arbitrary<Node>[]): fc.Arbitrary<Node> =>
  fc.tuple(...parts).map((nodes) => Object.assign({}, ...nodes));

export const always = (node: Node): fc.Arbitrary<Node> => fc.constant(node);

/** An object of these members. */
export const objectOf = (members: Iterable<readonly [string, Json]>): Node =>
  Object.fromEntries(members);

export const without = (node: Node, name: string): Node =>
  objectOf(Object.entries(node).filter(([key]) => key !== name));
