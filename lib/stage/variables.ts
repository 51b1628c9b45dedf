import { type FunctionName, functions, type OtherName } from '../../lambdas/manifest.ts';
import {
  type BucketName,
  buckets,
  type QueueName,
  QUEUES,
  type TableName,
  tables,
} from '../../lambdas/storage-manifest.ts';
import type { CamelCase } from '../../layers/platform/rules/shape.ts';
import { camelCase, type OfFunctions, type Reader, textOf } from './setting.ts';
import { SETTINGS } from './settings.ts';

type Table = typeof SETTINGS;

export type FunctionKey = {
  [Key in keyof Table]: Table[Key] extends { functions: unknown } ? Key : never;
}[keyof Table];

/** `sign_up` becomes `SIGN_UP`. */
export type SettingVariable = Uppercase<FunctionKey>;

export type Texts = Readonly<Record<SettingVariable, string>>;

/** Readers of a function's settings: exactly those that the table gives it. */
export type ReadersOf<Name extends Reader> = {
  readonly [
    Key in FunctionKey as Name extends Table[Key]['functions'][number] ? CamelCase<Key> : never
  ]: Table[Key]['read'];
};

export const FUNCTION_SETTINGS: readonly (readonly [key: FunctionKey, row: OfFunctions])[] =
  Object.entries(SETTINGS).flatMap(([key, row]) =>
    'functions' in row ? [[key as FunctionKey, row] as const] : [],
  );

/** Settings that are options of `npm start`. */
export type LocalOption = {
  [Key in FunctionKey]: Table[Key] extends { localOption: readonly [infer Name, string] }
    ? Name
    : never;
}[FunctionKey];

export const variableOf = (key: FunctionKey): SettingVariable =>
  key.toUpperCase() as SettingVariable;

/** @param settings - by keys in camel case; missing ones have their defaults */
export const textsOf = (settings: {
  readonly [Key in FunctionKey as CamelCase<Key>]?: unknown;
}): Texts =>
  Object.fromEntries(
    FUNCTION_SETTINGS.map(([key, row]) => [
      variableOf(key),
      textOf(row, Reflect.get(settings, camelCase(key)) ?? row.default),
    ]),
  ) as Texts;

/** Settings of a function. @param isLong - whether those in the file beside its code */
export const settingsOf = (
  name: Reader,
  texts: Texts,
  isLong: boolean,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    FUNCTION_SETTINGS.filter(
      ([, row]) => row.functions.includes(name) && (row.isLong === true) === isLong,
    ).map(([key]) => [variableOf(key), texts[variableOf(key)]]),
  );

export interface Places {
  readonly table: (name: TableName) => string;
  readonly bucket: (name: BucketName) => string;
  readonly queue: (name: QueueName) => string;
  /** Alias of an invoked function; empty for one that is not invoked. */
  readonly invoked: (name: FunctionName) => string;
  /** Function names of private networks. */
  readonly networks: readonly (readonly [network: string, name: string])[];
  readonly others: Readonly<Record<Exclude<OtherName, 'NETWORK_FUNCTIONS'>, string>>;
}

export const placesOf = (
  name: FunctionName,
  { table, bucket, queue, invoked, networks, others }: Places,
): Readonly<Record<string, string>> => {
  const named = <Name extends string>(
    names: readonly string[],
    kind: string,
    of: (name: Name) => string,
  ) =>
    names.map(
      (one) => [`${one.toUpperCase().replaceAll('-', '_')}_${kind}`, of(one as Name)] as const,
    );
  const values = new Map<string, string>([
    ...Object.entries(others),
    ...named(Object.keys(tables), 'TABLE', table),
    ...named(Object.keys(buckets), 'BUCKET', bucket),
    ...named(QUEUES, 'QUEUE', queue),
    ...named(Object.keys(functions), 'FUNCTION', invoked),
    [
      'NETWORK_FUNCTIONS',
      networks.length === 0 ? '' : JSON.stringify(Object.fromEntries(networks)),
    ],
  ]);
  return Object.fromEntries(
    functions[name].environment.map((variable) => {
      const value = values.get(variable);
      if (value === undefined) throw new Error(`${name} asks for ${variable}, which nothing sets`);
      return [variable, value];
    }),
  );
};
