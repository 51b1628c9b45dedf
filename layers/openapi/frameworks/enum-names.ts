import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { listOf } from '../../platform/rules/json/members.ts';
import { valuesOf } from '../json-schema/types.ts';
import type { Habit } from './habit.ts';

/** Reads from an extension the name or meaning of each value, in the order of the values. */
type ReadNames = (extension: Json, values: readonly Json[], schema: JsonObject) => Texts;

type Texts = readonly (string | undefined)[];

interface EnumNames extends Habit {
  readonly field: string;
  readonly read: ReadNames;
  /** Reads names from an extension that has meanings too. */
  readonly names?: ReadNames;
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== ''
    ? value.trim().replaceAll(/\s+/g, ' ')
    : undefined;

/** A list in the order of the values, or an object keyed by value. */
const listed: ReadNames = (extension, values) => {
  if (Array.isArray(extension)) {
    if (extension.length === values.length) return extension.map(textOf);
    // Generators append `null` and the empty string for optional properties, without names.
    const named = values.filter((value) => value !== null && value !== '');
    if (extension.length !== named.length) return [];
    const names = new Map<Json, string | undefined>(
      named.map((value, index) => [value, textOf(extension[index])]),
    );
    return values.map((value) => names.get(value));
  }
  return isObject(extension) ? values.map((value) => textOf(member(extension, String(value)))) : [];
};

/** Keyed by names of constants, which are in another extension: `{"StatusDraft": "in work"}`. */
const byConstant: ReadNames = (extension, values, schema) => {
  const names = listed(member(schema, 'x-enum-varnames') ?? null, values, schema);
  if (!isObject(extension)) return listed(extension, values, schema);
  return values.map(
    (value, index) =>
      textOf(member(extension, names[index] ?? '')) ?? textOf(member(extension, String(value))),
  );
};

/** Objects with a value and texts, in the order of the values or with the value in each. */
const described =
  (...fields: readonly string[]): ReadNames =>
  (extension, values) => {
    const list: Json = isObject(extension) ? (member(extension, 'values') ?? null) : extension;
    const entries = listOf(list).filter(isObject);
    const known = new Map(entries.map((entry) => [String(member(entry, 'value')), entry]));
    return values.map((value, index) => {
      const entry =
        known.get(String(value)) ??
        (entries[index]?.['value'] === undefined ? entries[index] : undefined);
      return fields
        .map((field) => entry && textOf(member(entry, field)))
        .find((text) => text !== undefined);
    });
  };

/** An object keyed by value: `{"1": {"name": "open", "description": "…"}}`. */
const underValue: ReadNames = (extension, values) =>
  values.map((value) => {
    const entry = isObject(extension) ? member(extension, String(value)) : undefined;
    if (!isObject(entry)) return textOf(entry);
    return textOf(member(entry, 'description')) ?? textOf(member(entry, 'name'));
  });

/** Extensions with meanings of enum values, in order of precedence. */
export const ENUM_MEANINGS = [
  {
    frameworks: 'AutoRest, TypeSpec, Azure',
    field: 'x-ms-enum',
    writes: '`x-ms-enum: {values: [{value, name, description}]}`',
    takes: 'the value',
    source: 'AutoRest, "Extensions", x-ms-enum',
    read: described('description', 'name'),
    names: described('name'),
  },
  {
    frameworks: 'swaggo',
    field: 'x-enum-comments',
    writes: '`x-enum-comments: {StatusDraft: in work}`',
    takes: 'the value',
    source: 'swaggo/swag, README, "Enums"',
    read: byConstant,
  },
  {
    frameworks: 'openapi-generator, Swashbuckle with Unchase, hey-api',
    field: 'x-enum-descriptions',
    writes: '`x-enum-descriptions: [in work, public]`',
    takes: 'the value',
    source: 'OpenAPI Generator, "Using Templates", Enum',
    read: byConstant,
  },
  {
    frameworks: 'Redocly, Scalar, Unchase',
    field: 'x-enumDescriptions',
    writes: '`x-enumDescriptions: {0: in work}`',
    takes: 'the value',
    source: 'Redocly, "x-enumDescriptions"',
    read: listed,
  },
  {
    frameworks: 'APIMatic',
    field: 'x-enum-elements',
    writes: '`x-enum-elements: [{name, description, value}]`',
    takes: 'the value',
    source: 'APIMatic, "Enumeration Extensions"',
    read: described('description', 'name'),
    names: described('name'),
  },
  {
    frameworks: 'Apidog, Apifox',
    field: 'x-apidog-enum',
    writes: '`x-apidog-enum: [{value, name, description}]`',
    takes: 'the value',
    source: 'Apidog, "OpenAPI extensions"',
    read: described('description', 'name'),
    names: described('name'),
  },
  {
    frameworks: 'Fern',
    field: 'x-fern-enum',
    writes: '`x-fern-enum: {draft: {description}}`',
    takes: 'the value',
    source: 'Fern, "Enum descriptions and names"',
    read: underValue,
  },
] as const satisfies readonly EnumNames[];

/** Extensions with names of enum values, in order of precedence. */
export const ENUM_NAMES = [
  {
    frameworks: 'NSwag, Swashbuckle with Unchase',
    field: 'x-enumNames',
    writes: '`x-enumNames: [Draft, Published]`',
    takes: 'the number',
    source: 'NJsonSchema, "Enums"',
    read: listed,
  },
  {
    frameworks: 'swaggo, hey-api, openapi-generator, tsoa',
    field: 'x-enum-varnames',
    writes: '`x-enum-varnames: [Draft, Published]`',
    takes: 'the value',
    source: 'OpenAPI Generator, "Using Templates", Enum',
    read: listed,
  },
  {
    frameworks: 'Swashbuckle',
    field: 'x-enum-names',
    writes: '`x-enum-names: [Draft, Published]`',
    takes: 'the number',
    source: 'Swashbuckle.AspNetCore, "Schema Filters"',
    read: listed,
  },
  {
    frameworks: 'Speakeasy',
    field: 'x-speakeasy-enums',
    writes: '`x-speakeasy-enums: [Draft, Published]`',
    takes: 'the value',
    source: 'Speakeasy, "Customize enums"',
    read: listed,
  },
] as const satisfies readonly EnumNames[];

/** An object keyed by name: `{"Draft": 0}`. */
const byName: ReadNames = (extension, values) => {
  if (!isObject(extension)) return [];
  const names = new Map(Object.entries(extension).map(([name, value]) => [String(value), name]));
  return values.map((value) => textOf(names.get(String(value))));
};

const NAMED = ['name', 'label', 'title', 'identifier', 'key', 'text', 'description'];

/** Reads an extension of unknown form: the first form that gives a text for each value. */
const anyhow: ReadNames = (extension, values, schema) =>
  [listed, described(...NAMED), underValue, byName]
    .map((read) => read(extension, values, schema))
    .find((texts) => texts.length > 0 && texts.every((text) => text !== undefined)) ?? [];

export const OTHER_ENUM_NAMES = [
  {
    frameworks: 'generators of many makers',
    writes: '`x-enum-labels`, `x-enum-keys` and whatever else has `enum` in its name',
    takes: 'the value',
    source: 'OpenAPI 3.1.1, "Specification Extensions"',
    read: anyhow,
  },
] as const satisfies readonly (Habit & { readonly read: ReadNames })[];

const isOther = (field: string): boolean =>
  /^x-.*enum/i.test(field) &&
  !SAYS_NO_NAME.test(field) &&
  field !== 'x-extensible-enum' &&
  !FIELDS.includes(field);

/** Extensions about order, display or deprecation of values. */
const SAYS_NO_NAME = /order|sort|deprecat|colou?r|icon|index/i;

export type MeantValue = readonly [value: Json, meaning: string | undefined];

/** Enum values with their meanings; a name that only repeats its value is dropped. */
export const meantValues = (schema: JsonObject): readonly MeantValue[] => {
  const raw = member(schema, 'enum');
  const values = Array.isArray(raw) ? raw : (valuesOf(schema) ?? []);
  const found = (rows: readonly EnumNames[]): Texts =>
    rows
      .flatMap(({ field, read }) => {
        const extension = member(schema, field);
        return extension === undefined ? [] : [read(extension, values, schema)];
      })
      .find((texts) => texts.some((text) => text !== undefined)) ?? [];
  const meanings = found(ENUM_MEANINGS);
  const known = found([
    ...ENUM_NAMES,
    ...(ENUM_MEANINGS as readonly EnumNames[]).flatMap((row) =>
      row.names ? [{ ...row, read: row.names }] : [],
    ),
  ]);
  const names =
    known.length > 0 || meanings.length > 0
      ? known
      : found(
          Object.keys(schema)
            .filter(isOther)
            .map((field) => ({ ...OTHER_ENUM_NAMES[0], field })),
        );
  return values.map((value, index) => {
    const [meaning, name] = [meanings[index], names[index]].map((text) =>
      text !== undefined && bare(text) !== bare(String(value)) ? text : undefined,
    );
    return [value, joined(name, meaning, value)];
  });
};

/** Text for a value: name and meaning of a number; of a string the meaning, else the name. */
const joined = (
  name: string | undefined,
  meaning: string | undefined,
  value: Json,
): string | undefined => {
  if (typeof value === 'string' && !/^-?\d+$/.test(value)) return meaning ?? name;
  if (name === undefined || meaning === undefined) return name ?? meaning;
  return bare(meaning) === bare(name) ? name : `${name}: ${meaning}`;
};

const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();

export const namesValues = (schema: JsonObject): boolean => Object.keys(schema).some(isEnumName);

export const isEnumName = (field: string): boolean =>
  field.startsWith('x-') && (FIELDS.includes(field) || isOther(field));

const FIELDS: readonly string[] = [...ENUM_MEANINGS, ...ENUM_NAMES].map(({ field }) => field);
