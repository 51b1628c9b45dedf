/** What the AWS SDK carries of the models of services, and whether a value is one by them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * A number for a scalar, with 64 or 128 added for lists and maps of it; otherwise a list that begins with its
 * kind and ends, for a structure, with names and shapes of the members and how many of the first are required.
 */
export type Shape = number | readonly unknown[] | (() => Shape);

const [BOOLEAN, LISTS, MAPS] = [2, 64, 128];
const [SCALAR, LIST, MAP, STRUCTURE] = [0, 1, 2, 3];
/** Of a member that the SDK makes up where it is left out. */
const IDEMPOTENCY_TOKEN = 4;

/** Options that the CLI names otherwise than the model: all its commands have another of that name. */
const RENAMED: Readonly<Record<string, string>> = {
  'SubscribeInput.Endpoint': 'notification-endpoint',
};

const require = createRequire(import.meta.url);

/** What an operation takes; undefined where the service has none of that name. @throws Error without its client */
export const inputOf = (
  client: string,
  command: string,
): { readonly operation: string; readonly shape: Shape } | undefined => {
  const model = modelOf(client);
  const operation = Object.keys(model)
    .filter((name) => name.endsWith('Command'))
    .map((name) => name.slice(0, -'Command'.length))
    .find((name) => kebab(name) === command);
  if (operation === undefined) return undefined;
  return { operation, shape: (model[`${operation}$`] as readonly unknown[])[4] as Shape };
};

const modelOf = (client: string): Readonly<Record<string, unknown>> => {
  try {
    return require(client) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new Error(`make ${client} a development dependency: it has the model`, { cause });
  }
};

/** The command that a waiter repeats. */
export const waitedFor = (client: string, waiter: string): string => {
  const name = `waitFor-${waiter}`.replaceAll(/-(\w)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
  const path = join(dirname(require.resolve(client)), `../dist-es/waiters/${name}.js`);
  const [, operation = ''] = /import \{ (\w+)Command,? /.exec(readFileSync(path, 'utf8')) ?? [];
  return kebab(operation);
};

/** What is wrong with a value, each sentence with the place. */
export const faultsOf = (shape: Shape, value: unknown, where: string): readonly string[] => {
  if (value === null || (kindOf(shape) === SCALAR) === (typeof value === 'object')) {
    return [`${where} has another type`];
  }
  if (typeof value !== 'object') return [];
  const element = elementOf(shape);
  if (Array.isArray(value) !== (element !== undefined)) return [`${where} has another type`];
  if (Array.isArray(value)) return value.flatMap((one) => faultsOf(element ?? 0, one, where));
  const entries = Object.entries(value);
  if (kindOf(shape) === MAP) {
    return entries.flatMap(([key, one]) => faultsOf(valueShapeOf(shape), one, `${where}.${key}`));
  }
  const members = membersOf(shape);
  return [
    ...entries.flatMap(([name, one]) => {
      const member = members.find((each) => each.name === name);
      if (!member) return [`${where} has no member ${name}`];
      return faultsOf(member.shape, one, `${where}.${name}`);
    }),
    ...members
      .filter(({ name, required }) => required && !Object.hasOwn(value, name))
      .map(({ name }) => `${where}.${name} is missing`),
  ];
};

export interface Member {
  readonly name: string;
  /** By which it is given. */
  readonly option: string;
  readonly shape: Shape;
  readonly required: boolean;
}

/** Of a structure or a union. */
export const membersOf = (shape: Shape): readonly Member[] => {
  if (kindOf(shape) < STRUCTURE) return [];
  const [, , structure, , names, shapes, count = 0] = resolved(shape) as readonly unknown[];
  return (names as readonly string[]).map((name, index) => {
    const member = (shapes as readonly Shape[])[index] as Shape;
    const isToken = Array.isArray(member) && member[1] === IDEMPOTENCY_TOKEN;
    return {
      name,
      option: RENAMED[`${String(structure)}.${name}`] ?? kebab(name),
      shape: member,
      required: index < (count as number) && !isToken,
    };
  });
};

/** Of a list; undefined of anything else. */
export const elementOf = (shape: Shape): Shape | undefined => {
  const found = resolved(shape);
  if (kindOf(shape) !== LIST) return undefined;
  return typeof found === 'number' ? found - LISTS : ((found as readonly unknown[])[4] as Shape);
};

export const isScalar = (shape: Shape): boolean => kindOf(shape) === SCALAR;

export const isBoolean = (shape: Shape): boolean => resolved(shape) === BOOLEAN;

const valueShapeOf = (shape: Shape): Shape => {
  const found = resolved(shape);
  return typeof found === 'number' ? found - MAPS : ((found as readonly unknown[])[5] as Shape);
};

const kindOf = (shape: Shape): number => {
  const found = resolved(shape);
  if (typeof found !== 'number') return (found as readonly unknown[])[0] as number;
  if (found >= MAPS) return MAP;
  return found >= LISTS ? LIST : SCALAR;
};

/** Without its traits, and a reference followed. */
const resolved = (shape: Shape): number | readonly unknown[] => {
  if (typeof shape === 'function') return resolved(shape());
  if (Array.isArray(shape) && shape.length === 2) return resolved(shape[0] as Shape);
  return shape;
};

/** As botocore makes names of commands and options. */
const kebab = (name: string): string =>
  name
    .replace(/([A-Z]{2,})s$/, (_, capitals: string) => `-${capitals.toLowerCase()}s`)
    .replaceAll(/(.)([A-Z][a-z]+)/g, '$1-$2')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase();
