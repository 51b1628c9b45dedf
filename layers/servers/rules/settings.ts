import * as z from 'zod/mini';
import type { LimitValues } from '../../limits/rules/limits.ts';
import { TOOL_MODES } from '../../openapi/tool-mode.ts';
import { ARGUMENT_CHECKS } from '../../tools/arguments/argument-checks.ts';
import { RequestHeaders } from './request-headers.ts';

/**
 * One setting of a deployment: which values it takes, with a description for people who read that of the
 * management API, and what holds until its owner says otherwise.
 */
type Setting<Value extends z.ZodMiniType = z.ZodMiniType> = {
  readonly value: Value;
} & ({ readonly initial: z.output<Value> } | { readonly limit: keyof LimitValues });

export type SettingsTable = Readonly<Record<string, Setting>>;

const oneOf = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) => ({
  value: z.enum(values).register(z.globalRegistry, { description }),
  initial: values[0] as Values[0],
});

/** A number or null, which means any; the limit of the service that is named holds if nothing was said. */
const limited = <Name extends keyof LimitValues>(
  limit: Name,
  range: readonly [least: number, most: number],
  description: string,
) => ({
  value: z
    .nullable(z.int().check(z.minimum(range[0]), z.maximum(range[1])))
    .register(z.globalRegistry, { description }),
  limit,
});

/**
 * Settings that change nothing of a deployment's tools. A line here is all that storage, requests to the
 * management API, its answers and its own description need; the first value of a choice holds until another
 * is said.
 */
export const SERVING_SETTINGS = {
  docs: oneOf(
    ['protected', 'public'],
    'Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. ' +
      'In mode `none` everybody is, whatever this says.',
  ),
  traceContext: oneOf(
    ['withheld', 'forwarded'],
    'Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers.',
  ),
  argumentChecks: oneOf(
    ARGUMENT_CHECKS,
    'Whether calls are refused that lack an argument, or a member of one, that the description requires. With ' +
      '`lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are ' +
      'checked. An override says it of one tool.',
  ),
  // With less, a single element hardly fits.
  answerTokenBudget: limited(
    'answer_token_budget',
    [500, 1_000_000],
    'Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; ' +
      'null: any number. An override says it of one tool.',
  ),
  refresh: oneOf(
    ['off', 'daily', 'hourly'],
    'Whether the description is fetched again from `openapi_url`: what breaks no client and opens nothing is published by itself; of ' +
      'all else the owner is told. Nothing is fetched where the description was sent.',
  ),
  fetchWith: oneOf(
    ['nothing', 'credential'],
    'What a description is fetched with from `openapi_url`: the credential of the deployment, where it is meant for that host, or nothing.',
  ),
  requestHeaders: { value: RequestHeaders, initial: {} },
} as const satisfies SettingsTable;

/** Settings of how tools are made: a change makes a new version of them. */
export const PUBLICATION_SETTINGS = {
  toolMode: oneOf(
    TOOL_MODES,
    'Whether clients are shown a tool for each operation, or three tools that search, describe and call ' +
      'them: then a deployment of any size counts as one endpoint.',
  ),
  // With less, nothing is left of most tools.
  toolTokenBudget: limited(
    'tool_token_budget',
    [100, 1_000_000],
    'Tokens that a tool may take, roughly; null: any number.',
  ),
  structuredOutput: oneOf(
    ['off', 'on'],
    'Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients ' +
      'that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool.',
  ),
} as const satisfies SettingsTable;

/** The value of each setting of a table. */
export type SettingValues<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['value']>;
};

/** As stored: what a limit decides is absent until it is said. */
export type StoredSettings<Table extends SettingsTable> = {
  readonly [
    Name in keyof Table as Table[Name] extends { initial: unknown } ? Name : never
  ]: z.output<Table[Name]['value']>;
} & {
  readonly [Name in keyof Table as Table[Name] extends { limit: string } ? Name : never]?: z.output<
    Table[Name]['value']
  >;
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
): SettingChanges<Table> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, setting]) => {
      const value = changes[name] === undefined ? said[name] : changes[name];
      const isSaid = value !== undefined && !('initial' in setting && value === setting.initial);
      return isSaid ? [[name, value]] : [];
    }),
  ) as SettingChanges<Table>;
