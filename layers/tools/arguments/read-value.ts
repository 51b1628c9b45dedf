import type { Schema } from '../../openapi/json-schema/schema.ts';
import { isObject, member } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import {
  ASSERTIONS,
  type Budget,
  fullBudget,
  mustBe,
  shortened,
  spend,
  tooMuch,
} from './assertions.ts';
import {
  convertedValue,
  faultOfValue,
  inOrder,
  wireNameOf,
  type WireNames,
} from './convert-value.ts';
import { type ArgumentFault, MOST_FAULTS } from './invalid-arguments.ts';
import { checksOf } from './keyword-checks.ts';
import { NOTHING_LEFT } from './leniency.ts';
import {
  argumentOf,
  type Judge,
  type Leniency,
  NO_VIOLATIONS,
  pathOf,
  type Reading,
  type Violation,
  type Violations,
} from './reading.ts';
import {
  certainViews,
  isDescribedAsJson,
  itemSchemas,
  patternCount,
  propertySchemas,
  type Shape,
  shapeOf,
  type Shapes,
  typeOf,
  weightOfName,
} from './shape.ts';

const DEEPEST = 64;

/** Limit for schemas that refer to each other without consuming a value. */
const LONGEST_CHAIN = 500;

interface ReadValue {
  readonly value: unknown;
  /** Copy of `value` with the wire names of nested properties. */
  readonly sent: unknown;
  /** Faults that no keyword can find: see `faultOfValue`. */
  readonly unreadable: readonly ArgumentFault[];
  readonly broken: readonly ArgumentFault[];
}

/**
 * Converts and validates a value in one walk: children first, then the value itself against each schema that applies to
 * it.
 * @param names - properties that the target knows under other names
 * @param leniency - what is left to the target; default: nothing
 * @throws RpcRefusal if the value is too deep, too large, or takes too long to check
 * Source: docs/decisions/descriptions.md, "Argument checks".
 */
export const readValue = (
  shapes: Shapes,
  given: unknown,
  names?: WireNames,
  budget = fullBudget(),
  leniency = NOTHING_LEFT,
): ReadValue => {
  const judge = judgeOf(shapes, budget, leniency);
  const isRewritten = names !== undefined || shapes.defaults.size > 0;
  const call: Call = { shapes, names, isRewritten, budget, judge, unreadable: [] };
  const { value, sent, violations } = read(call, [shapes.root], given);
  const broken = new Map<string, ArgumentFault>();
  for (const explain of explained(violations.get(shapes.root) ?? [], call.judge.spend)) {
    const fault = explain();
    broken.set(`${fault.path} ${fault.message}`, fault);
    if (broken.size > MOST_FAULTS) break;
  }
  return { value, sent, unreadable: call.unreadable, broken: [...broken.values()] };
};

interface Call {
  readonly shapes: Shapes;
  readonly names: WireNames | undefined;
  /** Whether `sent` can differ from `value`. */
  readonly isRewritten: boolean;
  readonly budget: Budget;
  readonly judge: Judge;
  readonly unreadable: ArgumentFault[];
}

/** @param isBeside - for the strict judge beside a lenient one: cached violations are those of the lenient one */
const judgeOf = (shapes: Shapes, budget: Budget, leniency: Leniency, isBeside = false): Judge => {
  let chain = 0;
  let strict: Judge | undefined;
  const judge: Judge = {
    leniency,
    get strict() {
      strict ??= leniency === NOTHING_LEFT ? judge : judgeOf(shapes, budget, NOTHING_LEFT, true);
      return strict;
    },
    spend: (checks) => spend(budget, 'checks', checks),
    violations: (schema, reading) => {
      judge.spend(1);
      if (schema === false) return [{ reading, keyword: 'false' }];
      if (!isObject(schema)) return NO_VIOLATIONS;
      const known = isBeside ? undefined : reading.violations.get(schema);
      if (known) return known;
      // Some keywords read texts from end to end, so that long ones cost more.
      judge.spend(typeof reading.value === 'string' ? reading.value.length >> 10 : 0);
      if ((chain += 1) > LONGEST_CHAIN) judge.spend(Infinity);
      const found: Violations[] = [];
      for (const check of checksOf(shapes, schema)) {
        const violations = check(reading, judge);
        if (violations.length > 0) found.push(violations);
      }
      chain -= 1;
      return found.length > 0 ? found : NO_VIOLATIONS;
    },
  };
  return judge;
};

export const read = (
  call: Call,
  schemas: readonly Schema[],
  given: unknown,
  above?: Reading,
  key?: string | number,
  depth = 0,
): Reading => {
  const shape = shapeOf(call.shapes, schemas);
  spend(call.budget, 'steps', 1 + (shape?.views.length ?? 0));
  if (depth > DEEPEST) throw tooMuch(`are nested deeper than ${DEEPEST} levels`);
  spend(call.budget, 'values', 1);

  const isJsonText =
    typeof given === 'object' && shape !== undefined && isDescribedAsJson(call.shapes, shape.views);
  // Validated like any other value before it becomes text.
  if (isJsonText) read(call, [], given, above, key, depth);
  const value = convertedValue(shape?.types, given, isJsonText);
  const reading: Unread = { above, key, value, sent: value, weight: 1, violations: new Map() };
  const fault = faultOfValue(shape?.types, given, value);
  if (fault !== undefined && call.unreadable.length <= MOST_FAULTS) {
    call.unreadable.push({ path: pathOf(reading), message: fault, keyword: 'unreadable' });
  }
  if (typeof value === 'string') reading.weight += value.length >> 4;
  else if (Array.isArray(value)) readItems(call, shape, value, reading, depth);
  else if (isObject(value)) readMembers(call, { shape, schemas }, value, reading, depth);

  for (const schema of schemas) {
    reading.violations.set(schema, call.judge.violations(schema, reading));
  }
  return reading;
};

type Unread = { -readonly [Property in keyof Reading]: Reading[Property] };

const readItems = (
  call: Call,
  shape: Shape | undefined,
  given: readonly unknown[],
  reading: Unread,
  depth: number,
): void => {
  spend(call.budget, 'steps', given.length * (shape?.views.length ?? 0));
  const items: Reading[] = [];
  // `map` would skip holes.
  for (let index = 0; index < given.length; index += 1) {
    const schemas = shape ? itemSchemas(shape, index) : [];
    const item = read(call, schemas, given[index], reading, index, depth + 1);
    reading.weight += item.weight;
    items.push(item);
  }
  reading.items = items;
  reading.value = items.map(({ value }) => value);
  reading.sent = call.isRewritten ? items.map(({ sent }) => sent) : reading.value;
};

const readMembers = (
  call: Call,
  { shape, schemas }: { readonly shape: Shape | undefined; readonly schemas: readonly Schema[] },
  value: object,
  reading: Unread,
  depth: number,
): void => {
  const isMeant = nullsMeant(call, shape, reading, schemas);
  const given = Object.entries(value).filter(
    ([name, member]) => member !== undefined && (member !== null || isMeant(name)),
  );
  spend(call.budget, 'steps', given.length * (shape?.views.length ?? 0));
  const patterns = shape ? patternCount(call.shapes, shape) : 0;
  if (patterns > 0) {
    const named = given.reduce((sum, [name]) => sum + weightOfName(name), 0);
    spend(call.budget, 'steps', named * patterns);
  }
  refuseBrokenNames(given.map(([name]) => name));
  // Top-level names stay: the request maps parameters and body properties itself.
  const wireName = (name: string) =>
    depth === 0 ? name : wireNameOf(call.names, shape?.views ?? [], name);
  const members = new Map<string, Reading>();
  for (const [name, inside] of given) {
    const within = shape ? propertySchemas(call.shapes, shape, name) : [];
    const member = read(call, within, inside, reading, name, depth + 1);
    reading.weight += member.weight + weightOfName(name);
    members.set(name, member);
  }
  reading.members = members;
  // `fromEntries` defines even `__proto__` as an own property and never sets a prototype.
  reading.value = Object.fromEntries([...members].map(([name, member]) => [name, member.value]));
  if (call.isRewritten) {
    const sent = [...members].map(([name, one]) => [wireName(name), one.sent] as const);
    const further = missingDefaults(call.shapes, schemas, members);
    reading.sent = Object.fromEntries(
      inOrder([...sent, ...further.map(([name, one]) => [wireName(name), one] as const)]),
    );
  } else reading.sent = reading.value;
};

/** Null members that are sent: those required or nullable. Models send null for any property they do not want. */
const nullsMeant = (
  { shapes }: Call,
  shape: Shape | undefined,
  reading: Reading,
  schemas: readonly Schema[],
): ((name: string) => boolean) => {
  let required: ReadonlySet<unknown> | undefined;
  return (name) => {
    if (!shape || !shapes.ignoresNull(String(argumentOf(reading) ?? name))) return true;
    const types = shapeOf(shapes, propertySchemas(shapes, shape, name))?.types;
    if (!types || types.has('null')) return true;
    required ??= new Set(
      certainViews(shapes.root, schemas).flatMap((view) => [view['required'] ?? []].flat()),
    );
    return required.has(name);
  };
};

const missingDefaults = (
  { root, defaults }: Shapes,
  schemas: readonly Schema[],
  members: ReadonlyMap<string, Reading>,
): readonly (readonly [string, unknown])[] =>
  defaults.size === 0
    ? []
    : certainViews(root, schemas).flatMap((view) =>
        [...(defaults.get(view) ?? [])].filter(([name]) => !members.has(name)),
      );

/** Refuses names that are not valid Unicode: a path with one could not be reported as valid JSON. */
export const refuseBrokenNames = (names: readonly string[]): void => {
  if (!names.every((name) => name.isWellFormed())) {
    throw tooMuch('have a name that is not valid Unicode');
  }
};

/** Faults of one alternative that are counted to find the nearest one. */
const MOST_COUNTED = 1000;

const MOST_NESTED = 250;

type Spend = Judge['spend'];

/** Words a fault only once it is sure to be reported. */
type Tell = () => ArgumentFault;

/** Faults for violations; the messages name rule and place, never the value. */
export function* explained(violations: Violations, spend: Spend, nested = 0): Generator<Tell> {
  if (nested > MOST_NESTED) spend(Infinity);
  // Iterative: at each of many levels a value may violate very many schemas.
  const open = [violations.values()];
  for (let list = open.at(-1); list; list = open.at(-1)) {
    spend(1);
    const { value: one } = list.next();
    if (!one) open.pop();
    else if (!('keyword' in one)) open.push(one.values());
    else if (one.keyword === 'anyOf') yield* nearest(one, spend, nested);
    else if (one.inner) open.push(one.inner.values());
    else if (one.keyword === 'required') yield* missing(one);
    else yield () => faultOf(one, one.keyword, wordsFor(one, spend), [one.rule].flat());
  }
}

const faultOf = (
  { reading }: Pick<Violation, 'reading'>,
  keyword: string,
  message: string,
  wanted: readonly unknown[],
): ArgumentFault => ({
  path: pathOf(reading),
  message,
  keyword,
  ...(keyword === 'type' && { sent: typeOf(reading.value), wanted }),
});

/** Faults of the alternative that fits best among those of the value's type; without one, the allowed types. */
const nearest = (
  { reading, inner = [] }: Violation,
  spend: Spend,
  nested: number,
): readonly Tell[] => {
  const wanted = inner.map((alternative) => typesIn(alternative, reading, spend));
  const [first] = inner
    .filter((_, index) => wanted[index]?.length === 0)
    .map((alternative) => firstOf(explained(alternative, spend, nested + 1), MOST_COUNTED))
    .sort((one, other) => one.length - other.length);
  if (first) return first;
  const types = wanted.flat();
  const message = types.length > 0 ? mustBe(types) : 'matches none of the allowed forms';
  return [() => faultOf({ reading }, types.length > 0 ? 'type' : 'anyOf', message, types)];
};

/** The first `count` items; a generator is not run any further. */
const firstOf = <Item>(items: Iterable<Item>, count: number): readonly Item[] => {
  const taken: Item[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
};

/** The types that alternatives allow instead of the value's own. */
const typesIn = (violations: Violations, reading: Reading, spend: Spend): readonly unknown[] =>
  violations.flatMap((one) => {
    spend(1);
    if (!('keyword' in one)) return typesIn(one, reading, spend);
    if (one.reading !== reading) return [];
    if (one.keyword === 'type') return [one.rule].flat();
    return one.inner?.flatMap((inside) => typesIn(inside, reading, spend)) ?? [];
  });

const wordsFor = ({ keyword, rule }: Violation, spend: Spend): string => {
  if (Array.isArray(rule)) spend(rule.length >> 4);
  return (
    (member(ASSERTIONS, keyword) ?? member(APPLICATORS, keyword))?.words(rule) ??
    'is not allowed here'
  );
};

const APPLICATORS: Readonly<Record<string, { readonly words: (rule: unknown) => string }>> = {
  not: { words: () => 'is excluded by the schema' },
  contains: { words: () => 'lacks an item that is required in it' },
  minContains: {
    words: (rule) => `must have at least ${String(rule)} of the items required in it`,
  },
  maxContains: { words: (rule) => `must have at most ${String(rule)} of the items required in it` },
  propertyNames: { words: () => 'has a name that is not allowed' },
  additionalProperties: {
    words: (names) =>
      Array.isArray(names) && names.length > 0
        ? `is not allowed here, only ${shortened(names.join(', '))}`
        : 'is not allowed here',
  },
};

export function* missing({ reading, rule }: Violation): Generator<Tell> {
  for (const name of Array.isArray(rule) ? rule.map(String) : []) {
    if (reading.members?.has(name)) continue;
    yield () => ({
      path: pathOf(reading) + pointerTo(name),
      message: 'is required',
      keyword: 'required',
    });
  }
}
