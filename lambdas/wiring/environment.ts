import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readLimits } from '../../layers/limits/rules/limits.ts';
import { CREDENTIAL_STORES } from '../../layers/credentials/rules/credential-stores.ts';
import { readLogLevel } from '../../layers/platform/rules/log-level.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

/** What a process is given: `process.env`, or a stand-in for it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const BASE_URL = /^https?:\/\/[^/?#@\s]+\/(?:[^?#\s]+\/)?v1$/;

export const text = z.string().check(z.minLength(1, 'is empty'));

export const url = z.string().check(z.refine((value) => URL.canParse(value), 'is not a URL'));

const baseUrl = z
  .string()
  .check(
    z.refine((value) => URL.canParse(value) && BASE_URL.test(value), 'is not a URL ending in /v1'),
  );

/** A variable with a reader of its own, which throws an Error that quotes no value. */
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

/** Between commas, or nothing. A short one would be guessed. */
const originSecrets = (given = ''): readonly string[] | undefined => {
  if (given === '') return undefined;
  const secrets = given.split(',');
  if (secrets.every((secret) => secret.length >= 32)) return secrets;
  throw new Error('a secret is shorter than 32 characters');
};

/**
 * What every function is given. The credentials are the ones that Lambda puts into a function's
 * environment: taken from there directly, so that no chain of credential providers is loaded.
 */
export const bare = {
  LIMITS: readBy(readLimits),
  METRICS_NAMESPACE: z.optional(text),
  LOG_LEVEL: readBy(readLogLevel),
  AWS_REGION: text,
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  AWS_SESSION_TOKEN: z.optional(text),
  AWS_ENDPOINT_URL_DYNAMODB: z.optional(url),
};

/** What the functions that are spoken to over HTTP are given besides. */
export const basic = {
  BASE_URL: baseUrl,
  AWS_LAMBDA_FUNCTION_VERSION: z.optional(text),
  ORIGIN_SECRETS: readBy(originSecrets),
  DEPLOYMENTS_TABLE: text,
  ...bare,
};

/** What the functions that serve or store content are given besides. */
export const shared = {
  ...basic,
  DEPLOYMENT_CONTENT_TABLE: text,
  DESCRIPTIONS_BUCKET: text,
  ANSWERS_BUCKET: text,
  AWS_ENDPOINT_URL_S3: z.optional(url),
};

const list = z.pipe(
  text,
  z.transform((ids) => ids.split(',')),
);

/** What the functions that sign, or verify what was signed, are given besides. */
export const signing = {
  SIGNING_KEY_IDS: list,
  MINTING_KEY_IDS: list,
  AWS_ENDPOINT_URL_KMS: z.optional(url),
};

/**
 * Where credentials are kept: each of two stores, which of them is written to, and which one was before and
 * is read from, too.
 */
export const credentialStore = {
  CREDENTIAL_STORE: z.enum(CREDENTIAL_STORES),
  CREDENTIAL_STORE_FORMER: z.enum(['', ...CREDENTIAL_STORES]),
  CREDENTIAL_PREFIX: text,
  CREDENTIALS_TABLE: text,
  CREDENTIALS_KEY_ID: text,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: z.optional(url),
  AWS_ENDPOINT_URL_KMS: z.optional(url),
};

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/**
 * @throws Error that names every variable that is missing or wrong, and no value; or the file of settings, where there
 * is none
 */
export const readEnvironment = <Variables extends Shape>(
  variables: Variables,
  given: Environment,
): z.output<z.ZodMiniObject<Variables>> => {
  const environment = withSettings(given);
  const read = z.safeParse(z.object(variables), environment);
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return `${name} ${environment[name] === undefined ? 'is missing' : message}`;
  });
  throw new Error(`the environment is not usable: ${faults.join('; ')}`);
};

/**
 * With what stands in a file beside the function's code, since Lambda takes no more than 4 KB of variables: names and
 * values, as variables have them. Source: `lib/functions/settings-file.ts`.
 */
const withSettings = (environment: Environment): Environment => {
  const { SETTINGS_FILE: file, LAMBDA_TASK_ROOT: folder = '' } = environment;
  if (file === undefined) return environment;
  const settings = parsedJson(readFileSync(join(folder, file), 'utf8')) as Environment;
  return { ...environment, ...settings };
};
