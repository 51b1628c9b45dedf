import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { EnvironmentName } from '../manifest.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

/** `process.env`, or a stand-in for it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const BASE_URL = /^https?:\/\/[^/?#@\s]+\/(?:[^?#\s]+\/)?v1$/;

export const text = z.string().check(z.minLength(1, 'is empty'));

/** Variables that must not be empty. */
export const texts = <Name extends EnvironmentName>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>;

export const url = z.string().check(z.refine((value) => URL.canParse(value), 'is not a URL'));

const baseUrl = z
  .string()
  .check(
    z.refine((value) => URL.canParse(value) && BASE_URL.test(value), 'is not a URL ending in /v1'),
  );

/** A variable with its own reader, which throws an Error that quotes no value. */
export const readBy = <Value>(read: (text: string | undefined) => Value) =>
  z.pipe(
    z.optional(z.string()),
    z.transform((value, context) => {
      try {
        return read(value);
      } catch (error) {
        const why = error instanceof Error ? `: ${error.message}` : '';
        context.issues.push({ code: 'custom', message: `is not usable${why}`, input: value });
        return z.NEVER;
      }
    }),
  );

/** Secrets between commas, or none. A short one could be guessed. */
const originSecrets = (given = ''): readonly string[] | undefined => {
  if (given === '') return undefined;
  const secrets = given.split(',');
  if (secrets.every((secret) => secret.length >= 32)) return secrets;
  throw new Error('a secret is shorter than 32 characters');
};

/** Variables of functions that count requests and record events. */
export const counting = texts('LIMITS_TABLE', 'SECURITY_EVENTS_TABLE');

/** Variables of every function, Lambda's own credentials included, so that no chain of providers is loaded. */
export const bare = {
  METRICS_NAMESPACE: z.optional(text),
  AWS_REGION: text,
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  AWS_SESSION_TOKEN: z.optional(text),
  AWS_ENDPOINT_URL_DYNAMODB: z.optional(url),
};

/** Variables of functions that answer HTTP. */
export const basic = {
  BASE_URL: baseUrl,
  AWS_LAMBDA_FUNCTION_VERSION: z.optional(text),
  ORIGIN_SECRETS: readBy(originSecrets),
  DEPLOYMENTS_TABLE: text,
  ...bare,
};

/** Variables of functions that serve or store content. */
export const shared = {
  ...basic,
  ...texts('DEPLOYMENT_CONTENT_TABLE', 'DESCRIPTIONS_BUCKET', 'ANSWERS_BUCKET'),
  AWS_ENDPOINT_URL_S3: z.optional(url),
};

const list = z.pipe(
  text,
  z.transform((ids) => ids.split(',')),
);

/** Variables of functions that sign, or verify signatures. */
export const signing = {
  SIGNING_KEY_IDS: list,
  MINTING_KEY_IDS: list,
  AWS_ENDPOINT_URL_KMS: z.optional(url),
};

/** Variables of functions that use either store of credentials. */
export const credentialStore = {
  ...texts('CREDENTIAL_PREFIX', 'CREDENTIALS_TABLE', 'CREDENTIALS_KEY_ID'),
  AWS_ENDPOINT_URL_SECRETS_MANAGER: z.optional(url),
  AWS_ENDPOINT_URL_KMS: z.optional(url),
};

type Shape = Readonly<Record<string, z.ZodMiniType>>;
type Readers = Readonly<Record<string, (text?: string) => unknown>>;

export type SettingsOf<Of extends Readers> = {
  readonly [Key in keyof Of]: ReturnType<Of[Key]>;
};

type HasSettings = { readonly settings: object };

/** Settings that a function is given and never asks for. */
type UnreadSettings<Asked extends HasSettings, Given extends HasSettings> = Exclude<
  keyof Given['settings'],
  keyof Asked['settings']
>;

/** Starts a server whose settings are all asked for: an unused setting does not compile. */
export const served = <Asked extends HasSettings, Given extends Asked, Answer>(
  server: (ports: Asked) => Answer,
  ports: [UnreadSettings<Asked, Given>] extends [never] ? Given : UnreadSettings<Asked, Given>,
): Answer => server(ports as Given);

/** `signUp` becomes `SIGN_UP`. */
const variableOf = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** @throws Error that names missing and wrong variables, without values, or the missing file of settings */
export const readEnvironment = <Variables extends Shape, Of extends Readers>(
  variables: Variables,
  readers: Of,
  given: Environment,
): {
  readonly environment: z.output<z.ZodMiniObject<Variables>>;
  readonly settings: SettingsOf<Of>;
} => {
  const environment = withSettings(given);
  const keys = Object.keys(readers);
  const ofSettings = Object.entries(readers).map(
    ([key, read]) => [variableOf(key), readBy(read)] as const,
  );
  const schema = z.object({ ...variables, ...Object.fromEntries(ofSettings) });
  const read = z.safeParse(schema, environment);
  if (read.success) {
    const values = new Map(Object.entries(read.data));
    const settings = Object.fromEntries(keys.map((key) => [key, values.get(variableOf(key))]));
    return {
      environment: read.data as z.output<z.ZodMiniObject<Variables>>,
      settings: settings as SettingsOf<Of>,
    };
  }
  const faults = read.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return `${name} ${environment[name] === undefined ? 'is missing' : message}`;
  });
  throw new Error(`the environment is not usable: ${faults.join('; ')}`);
};

/** Adds variables from a file: Lambda takes at most 4 KB of them. Source: `lib/functions/settings-file.ts`. */
const withSettings = (environment: Environment): Environment => {
  const { SETTINGS_FILE: file, LAMBDA_TASK_ROOT: folder = '' } = environment;
  if (file === undefined) return environment;
  const settings = parsedJson(readFileSync(join(folder, file), 'utf8')) as Environment;
  return { ...environment, ...settings };
};
