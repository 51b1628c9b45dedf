import { type FunctionName, functions, type OtherName } from '../../lambdas/manifest.ts';
import {
  type BucketName,
  buckets,
  type QueueName,
  QUEUES,
  type TableName,
  tables,
} from '../../lambdas/storage-manifest.ts';
import { type CamelCase, camelCase, type OfFunctions, type Reader, textOf } from './setting.ts';
import { SETTINGS } from './settings.ts';

type Table = typeof SETTINGS;

/** Of the settings that functions are given. */
export type FunctionKey = {
  [Key in keyof Table]: Table[Key] extends { functions: unknown } ? Key : never;
}[keyof Table];

/** `sign_up` is in the variable `SIGN_UP`. */
export type SettingVariable = Uppercase<FunctionKey>;

/** The settings of some functions, as text. */
export type Texts = Readonly<Record<SettingVariable, string>>;

/** What reads each setting of a function: it has all that the table gives it, and no others. */
export type ReadersOf<Name extends Reader> = {
  readonly [
    Key in FunctionKey as Name extends Table[Key]['functions'][number] ? CamelCase<Key> : never
  ]: Table[Key]['read'];
};

export const FUNCTION_SETTINGS: readonly (readonly [key: FunctionKey, row: OfFunctions])[] =
  Object.entries(SETTINGS).flatMap(([key, row]) =>
    'functions' in row ? [[key as FunctionKey, row] as const] : [],
  );

/** Options of `npm start` that are settings. */
export type LocalOption = {
  [Key in FunctionKey]: Table[Key] extends { localOption: readonly [infer Name, string] }
    ? Name
    : never;
}[FunctionKey];

export const variableOf = (key: FunctionKey): SettingVariable =>
  key.toUpperCase() as SettingVariable;

/** @param settings - by keys in camel case; defaults where it says nothing */
export const textsOf = (settings: {
  readonly [Key in FunctionKey as CamelCase<Key>]?: unknown;
}): Texts =>
  Object.fromEntries(
    FUNCTION_SETTINGS.map(([key, row]) => [
      variableOf(key),
      textOf(row, Reflect.get(settings, camelCase(key)) ?? row.default),
    ]),
  ) as Texts;

/** The settings that a function is given. @param isLong - those in the file beside its code */
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

/** What functions keep things in, whom they invoke, and what else they are told: names, ARNs and URLs. */
export interface Places {
  readonly table: (name: TableName) => string;
  readonly bucket: (name: BucketName) => string;
  readonly queue: (name: QueueName) => string;
  /** Empty for one that is not invoked. */
  readonly invoked: (name: FunctionName) => string;
  /** The function of each private network. */
  readonly networks: readonly (readonly [network: string, name: string])[];
  readonly others: Readonly<Record<Exclude<OtherName, 'NETWORK_FUNCTIONS'>, string>>;
}

/** The variables of a function beside its settings. */
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
