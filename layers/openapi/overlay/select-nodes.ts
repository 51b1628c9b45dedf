import {
  type FilterFunction,
  JSONPathEnvironment,
  JSONPathError,
  type JSONPathNode,
  JSONPathNodeList,
} from 'json-p3';
import { isObject, type Json } from '../../platform/rules/json/json.ts';
import { MAX_NESTING } from '../intake/check-tree.ts';

/** Deducts steps from the budget. @throws PathFault */
export type Spend = (steps: number) => void;

export class PathFault extends Error {}

/** Steps for all overlays of a publication; finding a member takes one, work that grows with a value takes its size. */
const MAX_STEPS = 3_000_000;
const MAX_SELECTED = 100_000;
const MAX_PATH = 1000;
const CHARACTERS_A_STEP = 1024;
/** Listing names of a large object takes twice as long as elements of a list. */
const STEPS_A_NAME = 2;

/** @throws PathFault from the returned function */
export const stepsToSpend = (maxSteps = MAX_STEPS): Spend => {
  let left = maxSteps;
  return (steps) => {
    left -= steps;
    if (left < 0) throw new PathFault(`the overlays take more than ${maxSteps} steps together`);
  };
};

/**
 * Evaluates an untrusted JSONPath query within a budget that all queries share.
 *
 * Filters may only use `@`: a query from the root for each node would multiply the work by the size of the document.
 * `match` and `search` are refused, since they run regular expressions.
 * @throws PathFault
 * Source: RFC 9535.
 */
export const selectNodes = (path: string, root: Json, spend: Spend): readonly JSONPathNode[] => {
  if (path.length > MAX_PATH) throw new PathFault(`longer than ${MAX_PATH} characters`);
  try {
    const query = environment(spend).compile(path);
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
    // json-p3 recurses and spreads long lists into arguments, both of which can overflow the stack.
    if (error instanceof RangeError) throw new PathFault('selects too much at once');
    throw error;
  }
};

const environment = (spend: Spend): JSONPathEnvironment => {
  const made = new JSONPathEnvironment({ strict: true, maxRecursionDepth: MAX_NESTING + 2 });
  for (const [name, called] of made.functionRegister) {
    if (!FUNCTIONS.has(name)) made.functionRegister.delete(name);
    else made.functionRegister.set(name, counted(called, spend));
  }
  return made;
};

/** Counts arguments of functions: `length` lists all names of an object. */
const counted = (called: FilterFunction, spend: Spend): FilterFunction => ({
  argTypes: called.argTypes,
  returnType: called.returnType,
  call: (...given: unknown[]) => {
    for (const value of given) spend(width(value));
    return called.call(...given) as unknown;
  },
});

/** Functions of RFC 9535 §2.4 without regular expressions. */
const FUNCTIONS = new Set(['count', 'length', 'value']);

/** Parts of json-p3's compiled queries that are used here. */
interface Selector {
  resolve(node: JSONPathNode): JSONPathNode[];
  lazyResolve(node: JSONPathNode): Generator<JSONPathNode>;
}

interface Expression {
  evaluate(context: unknown): unknown;
}

interface Comparison {
  readonly operator: string;
  readonly left: Expression;
  readonly right: Expression;
}

/** Makes every part of a query count its steps, and refuses root queries in filters. */
const guard = (query: object, spend: Spend): void => {
  const open: object[] = [query];
  while (open.length > 0) {
    const part = open.pop() as object;
    if (isSelector(part)) countSelected(part, spend);
    if (isExpression(part)) countEvaluated(part, spend);
    if (isComparison(part)) countCompared(part, spend);
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
const isExpression = (part: object): part is Expression => 'evaluate' in part;
const isComparison = (part: object): part is Comparison =>
  'operator' in part && 'left' in part && part.operator !== '&&' && part.operator !== '||';

const countSelected = (one: Selector, spend: Spend): void => {
  const resolve = one.resolve.bind(one);
  const lazyResolve = one.lazyResolve.bind(one);
  const found = 'name' in one || 'index' in one ? () => 1 : width;
  const count = (node: JSONPathNode) => spend(found(node.value) * (1 + depth(node)));
  one.resolve = (node) => {
    count(node);
    return resolve(node);
  };
  one.lazyResolve = (node) => {
    count(node);
    return lazyResolve(node);
  };
};

/** Every term of a filter is evaluated for each value, even constants and those after `false &&`. */
const countEvaluated = (one: Expression, spend: Spend): void => {
  const evaluate = one.evaluate.bind(one);
  one.evaluate = (context) => {
    spend(1);
    return evaluate(context);
  };
};

/** Lists and objects are compared deeply. Source: RFC 9535 §2.3.5.2.2. */
const countCompared = ({ left, right }: Comparison, spend: Spend): void => {
  const evaluateLeft = left.evaluate.bind(left);
  const evaluateRight = right.evaluate.bind(right);
  let first: unknown;
  left.evaluate = (context) => {
    first = evaluateLeft(context);
    return first;
  };
  right.evaluate = (context) => {
    const second = evaluateRight(context);
    spendOnComparing(onlyValue(first), onlyValue(second), spend);
    return second;
  };
};

const onlyValue = (found: unknown): unknown =>
  found instanceof JSONPathNodeList && found.length === 1 ? found.nodes[0]?.value : found;

/** Spends as much as a comparison takes, which ends at the first difference. Returns whether both are equal so far. */
const spendOnComparing = (left: unknown, right: unknown, spend: Spend): boolean => {
  if (typeof left === 'string' && typeof right === 'string') {
    spend(Math.min(left.length, right.length) / CHARACTERS_A_STEP);
    return left === right;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    spend(1);
    return (
      left.length === right.length &&
      left.every((one, at) => spendOnComparing(one, right[at], spend))
    );
  }
  if (!isObject(left) || !isObject(right)) {
    spend(1);
    return left === right;
  }
  const names = Object.keys(left);
  const others = Object.keys(right);
  spend(1 + STEPS_A_NAME * (names.length + others.length));
  return (
    names.length === others.length &&
    names.every(
      (name) => Object.hasOwn(right, name) && spendOnComparing(left[name], right[name], spend),
    )
  );
};

/** Cost of a node by its depth: a deep one passes many generators and has a long location. */
const depth = ({ location }: JSONPathNode): number => location.length >> 3;

const width = (value: unknown): number => {
  if (Array.isArray(value)) return 1 + value.length;
  return typeof value === 'object' && value !== null
    ? 1 + STEPS_A_NAME * Object.keys(value).length
    : 1;
};
