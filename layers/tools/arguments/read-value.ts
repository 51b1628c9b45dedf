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

/** Schemas that lead to each other are followed so far. */
const LONGEST_CHAIN = 500;

interface ReadValue {
  /** A copy of it in the types that its schema wants. */
  readonly value: unknown;
  /** The copy with the names on the wire; those of the arguments themselves stay. */
  readonly sent: unknown;
  /** What no keyword can find: what is not JSON, not Unicode, or has lost digits. */
  readonly unreadable: readonly ArgumentFault[];
  /** What its schema forbids. */
  readonly broken: readonly ArgumentFault[];
}

/**
 * Reads a value together with the schema that describes it, in one walk: what stands in it is read first,
 * then it is held against each of the schemas that describe it where it stands.
 *
 * @param names - of properties that the target knows by other names
 * @param leniency - what is left to the target; nothing if omitted
 * @throws RpcRefusal if the value is too deep, holds too much, or takes too long to be checked
 * Source: docs/decisions/descriptions.md, "What is checked of arguments".
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
  /** Whether what is sent differs from what is read. */
  readonly isRewritten: boolean;
  readonly budget: Budget;
  readonly judge: Judge;
  readonly unreadable: ArgumentFault[];
}

/** @param isBeside - another one judges the call, and readings know what that has found */
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
      // Texts are read from end to end by some keywords.
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
  // It is looked at as any other value before it is written as text.
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
  // By index, not with map, which skips holes.
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
  // What a parameter or a property of the body is called is for the request to say.
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
  // fromEntries defines members and never sets a prototype, whatever they are called.
  reading.value = Object.fromEntries([...members].map(([name, member]) => [name, member.value]));
  if (call.isRewritten) {
    const sent = [...members].map(([name, one]) => [wireName(name), one.sent] as const);
    const further = missingDefaults(call.shapes, schemas, members);
    reading.sent = Object.fromEntries(
      inOrder([...sent, ...further.map(([name, one]) => [wireName(name), one] as const)]),
    );
  } else reading.sent = reading.value;
};

/**
 * Whether a member that is `null` is meant to be there: who cannot leave out what is optional writes that. Where it is
 * required, or may be null, it stays.
 */
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

/** What is sent beside the members that are given. */
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

/** Where a value stands could not be told. */
export const refuseBrokenNames = (names: readonly string[]): void => {
  if (!names.every((name) => name.isWellFormed())) {
    throw tooMuch('have a name that is not valid Unicode');
  }
};

/** Findings of one alternative that are counted to see which is the nearest. */
const MOST_COUNTED = 1000;

/** Alternatives within alternatives that are looked into. */
const MOST_NESTED = 250;

type Spend = Judge['spend'];

/** Puts a violation into words, when it is known that it will be told. */
type Tell = () => ArgumentFault;

/** What is wrong, in words that name the rule and the place but never the value. */
export function* explained(violations: Violations, spend: Spend, nested = 0): Generator<Tell> {
  if (nested > MOST_NESTED) spend(Infinity);
  // Not by recursion: at each of many levels a value may be held against very many schemas.
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

/** Alternatives that fail on the very type say nothing; of the others the nearest one helps most. */
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

/** No more is asked of them than is taken. */
const firstOf = <Item>(items: Iterable<Item>, count: number): readonly Item[] => {
  const taken: Item[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
};

/** The types that a value should have had instead. */
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
