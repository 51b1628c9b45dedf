import type { SettingChanges, SettingsTable, SettingValues } from '../rules/settings.ts';
import * as z from 'zod';
import { jsonText } from './description-body.ts';

/** `toolMode` is `tool_mode` on the wire. */
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

const snakeCase = <Name extends string>(name: Name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;

/** The values of settings, by their names on the wire. */
type OnTheWire<Values> = { [Name in keyof Values as SnakeCase<Name>]: Values[Name] };

type Each<Table extends SettingsTable> = {
  readonly [Name in keyof Table as SnakeCase<Name>]: Table[Name]['value'];
};
type Optional<Table extends SettingsTable> = {
  readonly [Name in keyof Table as SnakeCase<Name>]: z.ZodOptional<Table[Name]['value']>;
};

/** The members of an answer. */
export const shownSettings = <Table extends SettingsTable>(table: Table) =>
  eachOf(table, ({ value }) => value) as Each<Table>;

/** The members of a request. */
export const sentSettings = <Table extends SettingsTable>(table: Table) =>
  eachOf(table, ({ value }) => z.optional(value)) as Optional<Table>;

/** The parameters of a query: one of some texts, or JSON. */
export const queriedSettings = <Table extends SettingsTable>(table: Table) =>
  eachOf(table, (setting) =>
    'initial' in setting && typeof setting.initial === 'string'
      ? z.optional(setting.value)
      : jsonText(setting.value),
  ) as Optional<Table>;

/** What a request says of them. */
export const settingChanges = <Table extends SettingsTable>(
  table: Table,
  sent: object,
): SettingChanges<Table> =>
  Object.fromEntries(
    Object.keys(table).map((name) => [name, Reflect.get(sent, snakeCase(name))]),
  ) as SettingChanges<Table>;

/** What an answer says of them. */
export const settingsBody = <Table extends SettingsTable>(values: SettingValues<Table>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [snakeCase(name), value]),
  ) as OnTheWire<SettingValues<Table>>;

const eachOf = <Made>(table: SettingsTable, make: (setting: SettingsTable[string]) => Made) =>
  Object.fromEntries(
    Object.entries(table).map(([name, setting]) => [snakeCase(name), make(setting)]),
  );
