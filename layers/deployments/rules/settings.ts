import * as z from 'zod/mini';
import type { LimitValues } from '../../limits/rules/limits.ts';
import { type Choice, PUBLICATION_CHOICES, SERVING_CHOICES } from './choices.ts';
import { CertificateAuthorities } from './certificate-authorities.ts';
import { RequestHeaders } from './request-headers.ts';

/**
 * One setting of a deployment: which values it takes, with a description for people who read that of the
 * management API, and what holds until its owner says otherwise.
 */
type Setting<Value extends z.ZodMiniType = z.ZodMiniType> = {
  readonly value: Value;
} & ({ readonly initial: z.output<Value> } | { readonly limit: keyof LimitValues | undefined });

export type SettingsTable = Readonly<Record<string, Setting>>;

/** What requests, answers and storage take of each choice. */
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

/** Settings that change nothing of a deployment's tools. */
export const SERVING_SETTINGS = {
  ...settings(SERVING_CHOICES),
  requestHeaders: { value: RequestHeaders, initial: {} },
  certificateAuthorities: { value: CertificateAuthorities, initial: [] },
} as const satisfies SettingsTable;

/** Settings of how tools are made: a change makes a new version of them. */
export const PUBLICATION_SETTINGS = settings(PUBLICATION_CHOICES) satisfies SettingsTable;

export type SettingValues<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['value']>;
};

/** As stored: what a limit decides is absent until it is said. */
export type StoredSettings<Table extends SettingsTable> = {
  readonly [
    Name in keyof Table as Table[Name] extends { initial: unknown } ? Name : never
  ]: z.output<Table[Name]['value']>;
} & {
  readonly [
    Name in keyof Table as Table[Name] extends { limit: unknown } ? Name : never
  ]?: z.output<Table[Name]['value']>;
};

/** What was said, and nothing else. */
export type SaidSettings<Table extends SettingsTable> = {
  readonly [Name in keyof Table]?: z.output<Table[Name]['value']>;
};

/** What is to be set; what is absent stays as it is. */
export type SettingChanges<Table extends SettingsTable> = {
  readonly [Name in keyof Table]?: z.output<Table[Name]['value']> | undefined;
};

export type ServingSettings = StoredSettings<typeof SERVING_SETTINGS>;
export type PublicationChoices = SettingChanges<typeof PUBLICATION_SETTINGS>;
export type Refresh = z.output<typeof SERVING_SETTINGS.refresh.value>;

/** What holds for a deployment of which nothing was said yet. */
export const initialSettings = <Table extends SettingsTable>(table: Table): StoredSettings<Table> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, setting]) =>
      'initial' in setting ? [[name, setting.initial]] : [],
    ),
  ) as StoredSettings<Table>;

/** What holds: what was said, or what holds until something is. */
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

/** The members of a stored item, each with what holds where it was stored before there was the setting. */
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

/** The members of a stored list of what was said. */
export const saidSettings = <Table extends SettingsTable>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, { value }]) => [name, z.exactOptional(value)]),
  ) as {
    readonly [Name in keyof Table]: z.ZodMiniExactOptional<Table[Name]['value']>;
  };

/** @returns what is said from now on, without what would hold anyway: one form for each meaning */
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
