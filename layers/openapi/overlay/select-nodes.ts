import { JSONPathEnvironment, JSONPathError, type JSONPathNode } from 'json-p3';
import type { Json } from '../../platform/rules/json/json.ts';
import { MAX_NESTING } from '../intake/check-tree.ts';

/** Nodes that all paths of a publication may look at together, those within filters included. */
export const MAX_STEPS = 2_000_000;
/** Values that one path may select. */
const MAX_SELECTED = 100_000;
/** Characters of a path. */
const MAX_PATH = 1000;

/** A path that is not one, or that would take too long; the message says which. */
export class PathFault extends Error {}

export type SelectNodes = (path: string, root: Json) => readonly JSONPathNode[];

/**
 * Evaluates JSONPath queries of strangers within a budget of steps, which all queries share.
 *
 * Within a filter, only `@` is followed: a query from the root for each node would multiply the work by the
 * document. `match` and `search` are refused, because they run regular expressions.
 *
 * @throws PathFault
 *
 * Source: RFC 9535.
 */
export const selector = (maxSteps = MAX_STEPS): SelectNodes => {
  let left = maxSteps;
  const spend = (steps: number) => {
    left -= steps;
    if (left < 0) throw new PathFault(`the paths look at more than ${maxSteps} values together`);
  };
  return (path, root) => {
    if (path.length > MAX_PATH) throw new PathFault(`longer than ${MAX_PATH} characters`);
    try {
      const query = environment().compile(path);
      guard(query, spend);
      const selected: JSONPathNode[] = [];
      for (const node of query.lazyQuery(root as never)) {
        if (selected.push(node) > MAX_SELECTED) {
          throw new PathFault(`would select more than ${MAX_SELECTED} values`);
        }
      }
      return selected;
    } catch (error) {
      if (error instanceof JSONPathError) throw new PathFault(`not a JSONPath: ${error.message}`);
      // The library passes long lists as arguments, and goes down by calls.
      if (error instanceof RangeError) throw new PathFault('selects too much at once');
      throw error;
    }
  };
};

const environment = (): JSONPathEnvironment => {
  const made = new JSONPathEnvironment({ strict: true, maxRecursionDepth: MAX_NESTING + 2 });
  for (const name of made.functionRegister.keys()) {
    if (!FUNCTIONS.has(name)) made.functionRegister.delete(name);
  }
  return made;
};

/** Source: RFC 9535 §2.4, but for those with regular expressions. */
const FUNCTIONS = new Set(['count', 'length', 'value']);

/** What the parts of a compiled query have, as far as it matters here. */
interface Selector {
  resolve(node: JSONPathNode): JSONPathNode[];
  lazyResolve(node: JSONPathNode): Generator<JSONPathNode>;
}

/** Makes every selector of a query count what it looks at, and finds what is refused. */
const guard = (query: object, spend: (steps: number) => void): void => {
  const open: object[] = [query];
  while (open.length > 0) {
    const part = open.pop() as object;
    if (isSelector(part)) counting(part, spend);
    if (part.constructor.name === 'RootQuery') {
      throw new PathFault(
        'a filter with a path that starts at `$`; only `@` is followed in filters',
      );
    }
    for (const [name, value] of Object.entries(part)) {
      if (typeof value !== 'object' || value === null) continue;
      if (name !== 'environment' && name !== 'token') open.push(value as object);
    }
  }
};

const isSelector = (part: object): part is Selector =>
  'lazyResolve' in part && !('selectors' in part);

const counting = (one: Selector, spend: (steps: number) => void): void => {
  const resolve = one.resolve.bind(one);
  const lazyResolve = one.lazyResolve.bind(one);
  const width =
    'name' in one || 'index' in one ? () => 1 : ({ value }: JSONPathNode) => size(value);
  one.resolve = (node) => {
    spend(width(node) + depth(node));
    return resolve(node);
  };
  one.lazyResolve = (node) => {
    spend(width(node) + depth(node));
    return lazyResolve(node);
  };
};

/** What is deep is reached through many generators, and has a long location. */
const depth = ({ location }: JSONPathNode): number => location.length >> 3;

const size = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Object.keys(value).length : 1;
