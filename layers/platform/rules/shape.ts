import * as z from 'zod/mini';

/**
 * One schema says of an entity what its members are, what an owner may send, and how it is described to people. The
 * forms that the entity has elsewhere are derived of it here:
 *
 * - stored: without what only somebody who sends must obey, so that a stricter rule of tomorrow leaves items readable;
 * - sent: with snake_case names, and nothing beside them;
 * - shown: with snake_case names, as in an answer.
 *
 * Members of a union are named alike inside and on the wire.
 */
type Schema = z.core.$ZodType;

/** `toolMode` is `tool_mode` on the wire. */
export type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

export const snakeCase = <Name extends string>(name: Name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;

/** A value as it stands on the wire: names of members in snake_case, keys of records as they are. */
export type Wire<Value> = Value extends readonly (infer Element)[]
  ? Wire<Element>[]
  : Value extends object
    ? string extends keyof Value
      ? { [Key in keyof Value]: Wire<Value[Key]> }
      : { -readonly [Name in keyof Value as SnakeCase<Name>]: Wire<Value[Name]> }
    : Value;

/** A type derived of a schema as the rest of the code sees it: nothing of it is changed in place. */
export type Frozen<Value> = Value extends readonly (infer Element)[]
  ? readonly Frozen<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

export type ValueOf<Of extends Schema> = Frozen<z.output<Of>>;

type Members = Readonly<Record<string, Schema>>;
type Rebuild = (schema: Schema) => z.ZodMiniType;

/** The form in which a value is stored. */
export const storedOf = <Of extends Schema>(schema: Of) =>
  plain(schema) as z.ZodMiniType<z.output<Of>>;

/** The form in which a value is answered. */
export const shownOf = <Of extends Schema>(schema: Of) =>
  shown(schema) as z.ZodMiniType<Wire<z.output<Of>>>;

/** The form in which a value is sent, read to the value. */
export const sentOf = <Of extends Schema>(schema: Of) =>
  sent(schema) as z.ZodMiniType<z.output<Of>, Wire<z.input<Of>>>;

/** A value as its shown form wants it. */
export const toWire = <Of extends Schema>(
  schema: Of,
  value: Frozen<z.output<Of>>,
): Wire<z.output<Of>> => renamed(schema, value) as Wire<z.output<Of>>;

/** Members under their names on the wire. */
export const snakeMembers = <Of extends object>(members: Of) =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [snakeCase(name), member as unknown]),
  ) as { readonly [Name in keyof Of as SnakeCase<Name>]: Of[Name] };

const plain: Rebuild = (schema) => {
  const { def } = known(schema);
  if (def.type === 'object') return z.object(eachOf(def.shape, plain));
  return withoutChecks(schema, plain);
};

const shown: Rebuild = (schema) => {
  const { def } = known(schema);
  if (def.type === 'object') return z.object(snakeMembers(eachOf(def.shape, shown)));
  return withoutChecks(schema, shown);
};

const sent: Rebuild = (schema) => {
  const { def } = known(schema);
  if (def.type !== 'object') return around(schema, sent);
  const members = eachOf(def.shape, sent);
  const names = Object.keys(members);
  const wire = z.strictObject(snakeMembers(members));
  if (names.every((name) => snakeCase(name) === name)) return wire;
  const camel = new Map(names.map((name): [string, string] => [snakeCase(name), name]));
  return z.pipe(
    wire,
    z.transform((value) =>
      Object.fromEntries(
        Object.entries(value).map(([name, member]) => [camel.get(name) ?? name, member]),
      ),
    ),
  );
};

const withoutChecks = (schema: Schema, rebuild: Rebuild): z.ZodMiniType => {
  const { def } = known(schema);
  switch (def.type) {
    case 'string':
      return z.string();
    case 'number':
      return 'format' in def ? z.int() : z.number();
    case 'array':
      return z.array(rebuild(def.element));
    case 'pipe':
      return rebuild(known(def.out).def.type === 'transform' ? def.in : def.out);
    default:
      return around(schema, rebuild);
  }
};

/** The same schema around parts that are made anew. */
const around = (schema: Schema, rebuild: Rebuild): z.ZodMiniType => {
  const { def } = known(schema);
  switch (def.type) {
    case 'array':
      return same(schema, { element: rebuild(def.element) });
    case 'record':
      return same(schema, { valueType: rebuild(def.valueType) });
    case 'optional':
    case 'nullable':
    case 'default':
      return same(schema, { innerType: rebuild(def.innerType) });
    case 'union':
      return same(schema, { options: def.options.map(rebuild) });
    default:
      return schema as z.ZodMiniType;
  }
};

/** With these in its definition, and described to people as before. */
const same = (schema: Schema, changes: object): z.ZodMiniType => {
  const made = z.clone(schema, { ...schema._zod.def, ...changes } as typeof schema._zod.def);
  const described = z.globalRegistry.get(schema);
  if (described) z.globalRegistry.add(made, described);
  return made as z.ZodMiniType;
};

const renamed = (schema: Schema, value: unknown): unknown => {
  const { def } = known(schema);
  if (value === undefined || value === null) return value;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(value)
          .filter(([name, member]) => name in def.shape && member !== undefined)
          .map(([name, member]) => [snakeCase(name), renamed(def.shape[name] ?? schema, member)]),
      );
    case 'array':
      return Array.isArray(value) ? value.map((one) => renamed(def.element, one)) : value;
    case 'record':
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, renamed(def.valueType, one)]),
      );
    case 'optional':
    case 'nullable':
    case 'default':
      return renamed(def.innerType, value);
    default:
      return value;
  }
};

const eachOf = (shape: Members, rebuild: Rebuild) =>
  Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, rebuild(member)]));

const known = (schema: Schema) => (schema as z.core.$ZodTypes)._zod;
