import type { OutputUnit } from '@cfworker/json-schema';
import type { ArgumentFault } from './invalid-arguments.ts';
import { isObject, keysOf, pointerTo, resolve } from './json.ts';
import { mustBe, RULES, shortened } from './rule-words.ts';
import type { Schema } from './shape.ts';

/**
 * What the validation library found, in words that name the rule and the place but never the value.
 *
 * @param root - the schema that was checked
 * @param units - the library's findings: each composition is followed by those of its branches
 */
export const explain = (
  root: Schema,
  args: unknown,
  units: readonly OutputUnit[],
): readonly ArgumentFault[] => {
  const faults = explained({ root, args }, units.map(located));
  const told = new Set<string>();
  return faults.filter(({ path, message }) => {
    const text = `${path} ${message}`;
    return !told.has(text) && told.add(text);
  });
};

interface Checked {
  readonly root: Schema;
  readonly args: unknown;
}

/** The finding "nothing is allowed here" carries no keyword of its own: it belongs to the one before it. */
const located = (unit: OutputUnit, index: number, units: readonly OutputUnit[]): OutputUnit =>
  unit.keyword === 'false'
    ? { ...unit, keywordLocation: `${units[index - 1]?.keywordLocation ?? '#'}/false` }
    : unit;

const explained = (checked: Checked, units: readonly OutputUnit[]): readonly ArgumentFault[] => {
  const faults: ArgumentFault[] = [];
  let next = 0;
  while (next < units.length) {
    const unit = units[next];
    if (!unit) break;
    next += 1;
    const whole = WHOLE[unit.keyword];
    if (whole) {
      const inner = within(unit, units, next);
      for (const one of whole(checked, unit, inner)) faults.push(one);
      next += inner.length;
    } else for (const one of leaf(checked, unit)) faults.push(one);
  }
  return faults;
};

/** The findings that explain this one: they follow it and stand deeper in the schema. */
const within = (unit: OutputUnit, units: readonly OutputUnit[], from: number) => {
  const prefix = `${unit.keywordLocation}/`;
  let end = from;
  while (units[end]?.keywordLocation.startsWith(prefix)) end += 1;
  return units.slice(from, end);
};

type ExplainWhole = (
  checked: Checked,
  unit: OutputUnit,
  inner: readonly OutputUnit[],
) => readonly ArgumentFault[];

/** Keywords whose findings are told together with those below them. */
const WHOLE: Readonly<Record<string, ExplainWhole>> = {
  anyOf: (checked, unit, inner) => {
    const branches = Map.groupBy(inner, ({ keywordLocation }) =>
      keywordLocation
        .slice(unit.keywordLocation.length + 1)
        .split('/', 1)
        .join(),
    );
    // Branches that fail on the very type say nothing; of the others the nearest one helps most.
    const near = [...branches.values()]
      .filter((branch) => !branch.some((fault) => failsOnType(fault, unit)))
      .map((branch) => explained(checked, branch))
      .sort((one, other) => one.length - other.length);
    const [nearest] = near;
    if (nearest && nearest.length > 0) return nearest;
    return [fault(unit, wantedTypes(checked, inner) ?? 'matches none of the allowed forms')];
  },
  contains: (_, unit) => [fault(unit, 'lacks an item that is required in it')],
  propertyNames: (_, unit, inner) => [
    { path: inner[0] ? pathOf(inner[0]) : pathOf(unit), message: 'has a name that is not allowed' },
  ],
};

const failsOnType = (unit: OutputUnit, whole: OutputUnit): boolean =>
  unit.keyword === 'type' && unit.instanceLocation === whole.instanceLocation;

const wantedTypes = (checked: Checked, inner: readonly OutputUnit[]): string | undefined => {
  const types = inner
    .filter(({ keyword }) => keyword === 'type')
    .flatMap((unit) => keywordValue(checked, unit));
  return types.length > 0 ? mustBe(types) : undefined;
};

const leaf = (checked: Checked, unit: OutputUnit): readonly ArgumentFault[] => {
  const rule = keywordValue(checked, unit);
  switch (unit.keyword) {
    case 'required':
      return missing(checked, unit, rule).map((path) => ({ path, message: 'is required' }));
    case 'false':
      return [fault(unit, notAllowed(checked, unit))];
    default: {
      const message = RULES[unit.keyword]?.(rule);
      return message === undefined ? [] : [fault(unit, message)];
    }
  }
};

const missing = ({ args }: Checked, unit: OutputUnit, required: unknown): readonly string[] => {
  const path = pathOf(unit);
  const object = resolve(args, path);
  if (!Array.isArray(required) || !isObject(object)) return [];
  return required
    .map(String)
    .filter((key) => !Object.hasOwn(object, key))
    .map((key) => path + pointerTo([key]));
};

/** Names what would be allowed instead, where a member is one too many. */
const notAllowed = (checked: Checked, unit: OutputUnit): string => {
  const parent = unit.keywordLocation.replace(/\/additionalProperties\/false$/, '/properties');
  const properties = keywordValue(checked, { ...unit, keywordLocation: parent });
  if (parent === unit.keywordLocation || !isObject(properties)) return 'is not allowed here';
  return `is not allowed here, only ${shortened(Object.keys(properties).join(', '))}`;
};

const fault = (unit: OutputUnit, message: string): ArgumentFault => ({
  path: pathOf(unit),
  message,
});

const pathOf = ({ instanceLocation }: OutputUnit): string => pointerTo(keysOf(instanceLocation));

/** What the keyword of a finding says, following the references on the way to it. */
const keywordValue = ({ root }: Checked, { keywordLocation }: OutputUnit): unknown => {
  let found: unknown = root;
  for (const key of keysOf(keywordLocation)) {
    if (typeof found !== 'object' || found === null) return undefined;
    const below: unknown = Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined;
    found = key === '$ref' && typeof below === 'string' ? resolve(root, below) : below;
  }
  return found;
};
