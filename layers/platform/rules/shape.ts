import * as z from 'zod/mini';

// A schema defines an entity's members, their valid values, and their descriptions for people. Its other forms derive
// from it here:
// - stored: without rules for texts and long lists, so that stricter rules later do not make items unreadable;
// - sent: with snake_case names and all rules; unknown members are refused;
// - shown: with snake_case names and without rules, for answers.

type Schema = z.core.$ZodType;

/** `toolMode` becomes `tool_mode`. */
export type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

export const snakeCase = <Name extends string>(name: Name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;

/** `tool_mode` becomes `toolMode`. */
export type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

const camelCase = (name: string) =>
  name.replace(/_[a-z]/g, (letter) => letter.charAt(1).toUpperCase());

/** Wire form of a value: members in snake_case, keys of records unchanged. */
export type Wire<Value> = Value extends readonly (infer Element)[]
  ? Wire<Element>[]
  : Value extends object
    ? string extends keyof Value
      ? { [Key in keyof Value]: Wire<Value[Key]> }
      : { -readonly [Name in keyof Value as SnakeCase<Name>]: Wire<Value[Name]> }
    : Value;

/** Deeply readonly; branded strings, such as fingerprints, stay unchanged. */
type Frozen<Value> = Value extends string
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly Frozen<Element>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
      : Value;

/** Deeply readonly output type of a schema. */
export type ValueOf<Of extends Schema> = Frozen<z.output<Of>>;

export type BodyOf<Of extends Schema> = Frozen<z.input<Of>>;

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** Makes the compiler check that a schema has exactly the members and values of a type. */
export const exactly =
  <Type>() =>
  <Of extends z.ZodMiniType>(
    schema: Same<ValueOf<Of>, Frozen<Type>> extends true ? Of : never,
  ): Of =>
    schema;

/** Adds the description that appears in the management API's OpenAPI document. */
export const described = <Of extends z.ZodMiniType>(schema: Of, description: string): Of => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

/** One line without control characters, which terminals obey. @param first - checks that run before, as `z.trim()` */
export const line = (maxLength: number, ...first: z.core.$ZodCheck<string>[]) =>
  z
    .string()
    .check(
      ...first,
      z.minLength(1),
      z.maxLength(maxLength),
      z.regex(/^[^\p{Cc}]*$/u, 'Leave control characters out.'),
    );

/** Text of several lines: line breaks and tabs are the only control characters. */
export const lines = (maxLength: number, ...first: z.core.$ZodCheck<string>[]) =>
  z
    .string()
    .check(
      ...first,
      z.minLength(1),
      z.maxLength(maxLength),
      z.regex(/^(?:[^\p{Cc}]|[\n\t])*$/u, 'Leave control characters out, but for line breaks.'),
    );

type Shape = Readonly<Record<string, Schema>>;
type Shown<Of extends Schema> =
  Of extends z.ZodMiniExactOptional<infer Inner extends Schema>
    ? z.ZodMiniExactOptional<Shown<Inner>>
    : z.ZodMiniType<Wire<z.output<Of>>>;
type ShownMembers<Of extends Shape> = {
  readonly [Name in keyof Of as SnakeCase<Name>]: Shown<Of[Name]>;
};

export const storedOf = <Of extends Schema>(schema: Of) =>
  stored(schema) as z.ZodMiniType<z.output<Of>>;

/** Schema of the wire form, whose output keeps wire names. */
export const wireOf = <Of extends Schema>(schema: Of) =>
  wire(schema) as z.ZodMiniType<Wire<z.output<Of>>, Wire<z.input<Of>>>;

export const sentOf = <Of extends Schema>(schema: Of) =>
  z.pipe(
    wire(schema),
    z.transform((value) => fromWire(schema, value)),
  ) as unknown as z.ZodMiniType<z.output<Of>, Wire<z.input<Of>>>;

export const shownOf = <Of extends Schema>(schema: Of) => shown(schema) as Shown<Of>;

export const shownMembers = <Of extends Shape>(members: Of) =>
  snakeMembers(eachOf(members, shown)) as unknown as ShownMembers<Of>;

export const snakeMembers = <Of extends object>(members: Of) =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [snakeCase(name), member as unknown]),
  ) as { [Name in keyof Of as SnakeCase<Name>]: Of[Name] };

export const camelMembers = <Of extends object>(members: Of) =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [camelCase(name), member as unknown]),
  ) as { [Name in keyof Of as CamelCase<Name>]: Of[Name] };

/** Value with camelCase names for a type with wire names. */
type Ours<Value> = Value extends readonly (infer Element)[]
  ? readonly Ours<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value as CamelCase<Name>]: Ours<Value[Name]> }
    : Value;

/** Body for a schema with wire names: its members in their order; other members of the value are dropped. */
export const bodyOf = <Of extends Schema>(schema: Of, value: Ours<z.input<Of>>) =>
  renamed(schema, value, (name) => [camelCase(name), name]) as z.input<Of>;

export const toWire = <Of extends Schema>(schema: Of, value: ValueOf<Of>) =>
  renamed(schema, value, (name) => [name, snakeCase(name)]) as Wire<z.output<Of>>;

const fromWire = (schema: Schema, value: unknown): unknown =>
  renamed(schema, value, (name) => [snakeCase(name), name]);

type Rebuild = (schema: Schema) => z.ZodMiniType;

const stored: Rebuild = (schema) => {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
      return z.object(eachOf(def.shape, stored));
    case 'array': {
      const least = (def.checks ?? []).filter((check) => check._zod.def.check === 'min_length');
      return z.array(stored(def.element)).check(...(least as z.core.$ZodCheck<unknown[]>[]));
    }
    default:
      return withoutRules(schema, stored);
  }
};

const shown: Rebuild = (schema) => {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
      return z.object(snakeMembers(eachOf(def.shape, shown)));
    case 'default':
      return shown(def.innerType);
    // Nullable numbers keep their range, which is shown.
    case 'nullable':
      return definitionOf(def.innerType).type === 'number'
        ? (schema as z.ZodMiniType)
        : around(schema, shown);
    case 'number':
      return 'format' in def ? z.int() : z.number();
    default:
      return withoutRules(schema, shown);
  }
};

const wire: Rebuild = (schema) => {
  const def = definitionOf(schema);
  return def.type === 'object'
    ? z.strictObject(snakeMembers(eachOf(def.shape, wire)))
    : around(schema, wire);
};

const withoutRules = (schema: Schema, rebuild: Rebuild): z.ZodMiniType => {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'string':
      return z.string();
    case 'array':
      return z.array(rebuild(def.element));
    case 'record':
      return z.record(z.string(), rebuild(def.valueType));
    case 'optional':
      return z.exactOptional(rebuild(def.innerType));
    default:
      return around(schema, rebuild);
  }
};

const around = (schema: Schema, rebuild: Rebuild): z.ZodMiniType => {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'array':
      return changed(schema, { element: rebuild(def.element) });
    case 'record':
      return changed(schema, { valueType: rebuild(def.valueType) });
    case 'optional':
    case 'nullable':
    case 'default':
      return changed(schema, { innerType: rebuild(def.innerType) });
    case 'union':
      return changed(schema, { options: def.options.map(rebuild) });
    default:
      return schema as z.ZodMiniType;
  }
};

const changed = (schema: Schema, changes: object): z.ZodMiniType => {
  const made = z.clone(schema, { ...schema._zod.def, ...changes });
  const description = z.globalRegistry.get(schema);
  if (description) z.globalRegistry.add(made, description);
  return made as z.ZodMiniType;
};

/** @param namesOf - for a member of the schema, its name in `value` and in the result */
const renamed = (
  schema: Schema,
  value: unknown,
  namesOf: (name: string) => readonly [before: string, after: string],
): unknown => {
  const def = definitionOf(schema);
  if (typeof value !== 'object' || value === null) return value;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).flatMap(([name, member]) => {
          const [before, after] = namesOf(name);
          const found: unknown = Reflect.get(value, before);
          return found === undefined ? [] : [[after, renamed(member, found, namesOf)]];
        }),
      );
    case 'array':
      return (value as unknown[]).map((one) => renamed(def.element, one, namesOf));
    case 'record':
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, renamed(def.valueType, one, namesOf)]),
      );
    case 'optional':
    case 'nullable':
    case 'default':
      return renamed(def.innerType, value, namesOf);
    case 'union':
      return renamedAsOption(def.options, value, namesOf);
    default:
      return value;
  }
};

/** Uses the union's option with the value's literal (`type` or `mode`); other unions contain no names to change. */
const renamedAsOption: (
  options: readonly Schema[],
  ...of: [value: unknown, namesOf: Parameters<typeof renamed>[2]]
) => unknown = (options, value, namesOf) => {
  const option = options.find((one) => {
    const def = definitionOf(one);
    if (def.type !== 'object') return false;
    return Object.entries(def.shape).some(([name, member]) => {
      const literal = definitionOf(member);
      const found: unknown = Reflect.get(value as object, name);
      return literal.type === 'literal' && literal.values.some((allowed) => allowed === found);
    });
  });
  return option ? renamed(option, value, namesOf) : value;
};

const eachOf = (shape: Shape, rebuild: Rebuild) =>
  Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, rebuild(member)]));

const definitionOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;
