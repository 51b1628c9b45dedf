import * as z from 'zod/mini';
import type { LimitValues } from '../../limits/rules/limits.ts';
import { type Choice, PUBLICATION_CHOICES, SERVING_CHOICES } from './choices.ts';
import { CertificateAuthorities } from './certificate-authorities.ts';
import { RequestHeaders } from './request-headers.ts';

/** A setting of a deployment: its schema, and its default or the limit of the service that is the default. */
type Setting<Value extends z.ZodMiniType = z.ZodMiniType> = {
  readonly value: Value;
} & ({ readonly initial: z.output<Value> } | { readonly limit: keyof LimitValues | undefined });

export type SettingsTable = Readonly<Record<string, Setting>>;

const settings = <const Table extends Readonly<Record<string, Choice>>>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, choice]) => [name, settingOf(choice)]),
  ) as unknown as {
    readonly [Name in keyof Table]: Table[Name] extends {
      readonly values: infer Values extends readonly [string, ...string[]];
    }
      ? {
          readonly value: z.ZodMiniEnum<{ [Value in Values[number]]: Value }>;
          readonly initial: Values[0];
        }
      : Table[Name] extends { readonly limit: infer Limit extends keyof LimitValues | undefined }
        ? { readonly value: z.ZodMiniNullable<z.ZodMiniNumberFormat>; readonly limit: Limit }
        : never;
  };

const settingOf = (choice: Choice): Setting => {
  const { description } = choice;
  if ('values' in choice) {
    const value = z.enum(choice.values).register(z.globalRegistry, { description });
    return { value, initial: choice.values[0] };
  }
  const [least, most] = choice.range;
  const value = z
    .nullable(z.int().check(z.minimum(least), z.maximum(most)))
    .register(z.globalRegistry, { description });
  return { value, limit: choice.limit };
};

export const SERVING_SETTINGS = {
  ...settings(SERVING_CHOICES),
  requestHeaders: { value: RequestHeaders, initial: {} },
  certificateAuthorities: { value: CertificateAuthorities, initial: [] },
} as const satisfies SettingsTable;

export const PUBLICATION_SETTINGS = settings(PUBLICATION_CHOICES) satisfies SettingsTable;

export type SettingValues<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['value']>;
};

/** Stored settings: those whose default is a limit are absent until they are set. */
export type StoredSettings<Table extends SettingsTable> = {
  readonly [
    Name in keyof Table as Table[Name] extends { initial: unknown } ? Name : never
  ]: z.output<Table[Name]['value']>;
} & {
  readonly [
    Name in keyof Table as Table[Name] extends { limit: unknown } ? Name : never
  ]?: z.output<Table[Name]['value']>;
};

export type SaidSettings<Table extends SettingsTable> = {
  readonly [Name in keyof Table]?: z.output<Table[Name]['value']>;
};

/** Changes of settings: absent members stay. */
export type SettingChanges<Table extends SettingsTable> = {
  readonly [Name in keyof Table]?: z.output<Table[Name]['value']> | undefined;
};

export type ServingSettings = StoredSettings<typeof SERVING_SETTINGS>;
export type PublicationChoices = SettingChanges<typeof PUBLICATION_SETTINGS>;
export type Refresh = z.output<typeof SERVING_SETTINGS.refresh.value>;

export const initialSettings = <Table extends SettingsTable>(table: Table): StoredSettings<Table> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, setting]) =>
      'initial' in setting ? [[name, setting.initial]] : [],
    ),
  ) as StoredSettings<Table>;

/** The members of an object that are settings of a table. */
export const settingsIn = <Table extends SettingsTable>(table: Table, from: object) =>
  Object.fromEntries(
    Object.keys(table).map((name) => [name, Reflect.get(from, name)]),
  ) as SettingChanges<Table>;

/** Effective settings: what was set, else the default. */
export const settingsOf = <Table extends SettingsTable>(
  table: Table,
  said: SettingChanges<Table>,
  limits: LimitValues,
): SettingValues<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([name, setting]) => [
      name,
      said[name] !== undefined
        ? said[name]
        : 'initial' in setting
          ? setting.initial
          : setting.limit === undefined
            ? null
            : limits[setting.limit],
    ]),
  ) as SettingValues<Table>;

/** Schemas of stored settings. A missing one, of an item older than the setting, gets its default. */
export const storedSettings = <Table extends SettingsTable>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, setting]) => [
      name,
      'initial' in setting
        ? z._default(setting.value, setting.initial)
        : z.exactOptional(setting.value),
    ]),
  ) as {
    readonly [Name in keyof Table]: Table[Name] extends { initial: unknown }
      ? z.ZodMiniDefault<Table[Name]['value']>
      : z.ZodMiniExactOptional<Table[Name]['value']>;
  };

export const settingValues = <Table extends SettingsTable>(table: Table) =>
  Object.fromEntries(Object.entries(table).map(([name, { value }]) => [name, value])) as {
    readonly [Name in keyof Table]: Table[Name]['value'];
  };

export const saidSettings = <Table extends SettingsTable>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, { value }]) => [name, z.exactOptional(value)]),
  ) as {
    readonly [Name in keyof Table]: z.ZodMiniExactOptional<Table[Name]['value']>;
  };

/** Applies changes. A value equal to the default is dropped, so that each meaning has one form. */
export const changedSettings = <Table extends SettingsTable>(
  table: Table,
  said: SettingChanges<Table>,
  changes: SettingChanges<Table>,
): SaidSettings<Table> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, setting]) => {
      const value = changes[name] === undefined ? said[name] : changes[name];
      const isSaid = value !== undefined && !('initial' in setting && value === setting.initial);
      return isSaid ? [[name, value]] : [];
    }),
  ) as SaidSettings<Table>;
