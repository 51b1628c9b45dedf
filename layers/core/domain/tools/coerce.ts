import { type ArgumentFault, invalidArguments } from './invalid-arguments.ts';
import { isObject, jsonText, pointerTo } from './json.ts';
import {
  itemShape,
  type JsonType,
  patternCount,
  propertyShape,
  type Shape,
  type Shapes,
} from './shape.ts';

const DEEPEST = 64;
const MOST_VALUES = 100_000;
const MOST_STEPS = 2_000_000;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export interface Coerced {
  readonly value: unknown;
  /** How many values the whole holds. */
  readonly count: number;
  /** How much there is to read in the names of one object that are held against patterns, at most. */
  readonly named: number;
  /** Whether there are `bigint`s in it: whole numbers that no `number` can hold. */
  readonly hasBigInts: boolean;
  readonly faults: readonly ArgumentFault[];
}

/**
 * A copy of a value in the types that its schema wants, as far as they can be had without guessing:
 * `"1"` for an integer, `"true"` for a boolean, `1` for a string, and JSON text for an object or array
 * where no string is allowed. What the schema accepts as it is stays as it is. Digits beyond 2^53 for an
 * integer become a `bigint`.
 *
 * Finds what no schema keyword can find or find cheaply: values that are not JSON, text that is not
 * Unicode, numbers that have lost digits, items that repeat.
 *
 * @throws RpcRefusal if the value is too deep (more than 64 levels) or holds too much (100,000 values)
 * Source: TL1.
 */
export const coerce = (shapes: Shapes, shape: Shape | undefined, value: unknown): Coerced => {
  const walk: Walk = {
    shapes,
    path: [],
    faults: [],
    count: 0,
    named: 0,
    steps: 0,
    hasBigInts: false,
  };
  const coerced = read(walk, shape, value);
  return {
    value: coerced,
    count: walk.count,
    named: walk.named,
    hasBigInts: walk.hasBigInts,
    faults: walk.faults,
  };
};

interface Walk {
  readonly shapes: Shapes;
  /** Keys from the arguments down to the value at hand. */
  readonly path: (string | number)[];
  readonly faults: ArgumentFault[];
  count: number;
  named: number;
  steps: number;
  hasBigInts: boolean;
}

/** Takes note of work, in schemas looked at. */
const work = (walk: Walk, steps: number): void => {
  walk.steps += steps;
  if (walk.steps > MOST_STEPS) throw tooMuch('are too large for this tool');
};

const read = (walk: Walk, shape: Shape | undefined, given: unknown): unknown => {
  walk.count += 1;
  work(walk, 1 + (shape?.views.length ?? 0));
  if (walk.path.length > DEEPEST) throw tooMuch(`are nested deeper than ${DEEPEST} levels`);
  if (walk.count > MOST_VALUES) throw tooMuch(`hold more than ${MOST_VALUES} values`);

  const value = shape?.types ? converted(walk, shape.types, given) : given;
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'bigint':
      walk.hasBigInts = true;
      return value;
    case 'string':
      if (!value.isWellFormed()) fault(walk, 'is not valid Unicode (half of a surrogate pair)');
      return value;
    case 'number':
      if (!Number.isFinite(value)) fault(walk, 'is not a JSON number');
      if (wantsInteger(shape) && losesDigits(value)) fault(walk, DIGITS_LOST);
      return value;
    case 'object':
      if (value === null) return null;
      return Array.isArray(value) ? readItems(walk, shape, value) : readMembers(walk, shape, value);
    default:
      fault(walk, 'is not a JSON value');
      return null;
  }
};

const readItems = (walk: Walk, shape: Shape | undefined, items: readonly unknown[]): unknown[] => {
  const coerced: unknown[] = [];
  work(walk, items.length * (shape?.views.length ?? 0));
  // By index, not with map, which skips holes.
  for (let index = 0; index < items.length; index += 1) {
    const itsShape = shape && itemShape(walk.shapes, shape, index);
    coerced.push(below(walk, index, itsShape, items[index]));
  }
  if (shape?.views.some((view) => view['uniqueItems'] === true) && repeats(coerced)) {
    fault(walk, 'must not hold the same item twice');
  }
  return coerced;
};

const readMembers = (walk: Walk, shape: Shape | undefined, members: object): unknown => {
  const given = Object.entries(members).filter(([, member]) => member !== undefined);
  work(walk, given.length * (shape?.views.length ?? 0));
  const patterns = shape ? patternCount(walk.shapes, shape) : 0;
  if (patterns > 0) {
    const named = given.reduce((sum, [key]) => sum + weightOf(key), 0);
    walk.named = Math.max(walk.named, named);
    work(walk, named * patterns);
  }
  // fromEntries defines members and never sets a prototype, whatever they are called.
  return Object.fromEntries(
    given.map(([key, member]) => {
      if (!key.isWellFormed()) throw tooMuch('have a name that is not valid Unicode');
      const itsShape = shape && propertyShape(walk.shapes, shape, key);
      return [key, below(walk, key, itsShape, member)];
    }),
  );
};

/** Of a name that a pattern is tried on: it takes as long as so many schemas of other kinds. */
const weightOf = (name: string): number => 1 + (name.length >> 4);

const below = (
  walk: Walk,
  key: string | number,
  shape: Shape | undefined,
  value: unknown,
): unknown => {
  walk.path.push(key);
  const coerced = read(walk, shape, value);
  walk.path.pop();
  return coerced;
};

const converted = (walk: Walk, types: ReadonlySet<JsonType>, value: unknown): unknown => {
  switch (typeof value) {
    case 'number':
      if (types.has('number') || types.has('integer') || !types.has('string')) return value;
      // A long id sent as a number has been rounded before it came here.
      if (losesDigits(value)) fault(walk, DIGITS_LOST);
      return String(value);
    case 'boolean':
      return types.has('string') && !types.has('boolean') ? String(value) : value;
    case 'string':
      return types.has('string') ? value : fromText(types, value);
    default:
      return value;
  }
};

const fromText = (types: ReadonlySet<JsonType>, text: string): unknown => {
  if ((types.has('number') || types.has('integer')) && NUMBER.test(text)) {
    const number = Number(text);
    if (types.has('integer') && losesDigits(number) && LONG.test(text)) return BigInt(text);
    if (Number.isFinite(number) && (types.has('number') || !losesDigits(number))) return number;
  }
  if (types.has('boolean')) {
    if (text === 'true' || text === 'True') return true;
    if (text === 'false' || text === 'False') return false;
  }
  if (types.has('null') && text === 'null') return null;
  if (types.has('object') && text.trimStart().startsWith('{')) return parsed(text, isObject);
  if (types.has('array') && text.trimStart().startsWith('[')) return parsed(text, Array.isArray);
  return text;
};

const parsed = (text: string, fits: (value: unknown) => boolean): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? value : text;
  } catch {
    return text;
  }
};

const wantsInteger = (shape: Shape | undefined): boolean =>
  shape?.types !== undefined && shape.types.has('integer') && !shape.types.has('number');

const DIGITS_LOST = 'is beyond 2^53, where JSON numbers lose digits: send it as text';
/** As many digits as a number of 64 bits has. */
const LONG = /^-?[1-9]\d{15,19}$/;

const losesDigits = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value);

/** In time linear in the items: comparing each with each would not be. */
const repeats = (items: readonly unknown[]): boolean =>
  new Set(items.map(canonical)).size < items.length;

const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return jsonText(value);
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
};

const fault = ({ faults, path }: Walk, message: string): void => {
  if (faults.length <= 20) faults.push({ path: pointerTo(path), message });
};

const tooMuch = (message: string) => invalidArguments([{ path: '', message }]);
