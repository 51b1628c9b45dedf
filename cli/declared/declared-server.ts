import { member } from '../../layers/platform/rules/json/json.ts';
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { NotYaml, yamlValue } from './yaml.ts';
import { SEALED_MEMBERS } from '../../layers/target/rules/credential.ts';
import type { Context } from '../command.ts';
import { Failure, type Finding } from '../failure.ts';
import { bytesOf } from '../input/ask.ts';
import { descriptionFrom } from '../input/description.ts';
import { isJson, type Json, jsonOf, textOf } from '../json.ts';
import { fault, type ServersFile } from './servers-file.ts';
import { secretIn, UnusableSecret } from '../../layers/credentials/rules/secret-text.ts';

export interface DeclaredServer {
  readonly slug: string;
  /** File of the description; undefined for a URL. */
  readonly descriptionFile: string | undefined;
  /** The declaration with digests instead of texts, without secrets. */
  readonly digests: Json;
  /** The declaration with texts, without secrets. */
  readonly texts: Json;
  /** @throws Failure that lists missing secrets */
  withSecrets(names: readonly string[]): Promise<Json>;
  /** Names of credentials whose secret is declared here. */
  readonly given: readonly string[];
}

interface Reading {
  readonly context: Pick<Context, 'ask' | 'output' | 'world'>;
  readonly file: ServersFile;
  readonly slug: string;
  readonly findings: Finding[];
  /** Function to be called with each file before it is read. */
  readonly onFile: (path: string) => void;
}

/** Reads the files that an entry names. @param findings - receives faults with their places */
export const declaredServer = async (entry: Json, reading: Reading): Promise<DeclaredServer> => {
  const { openapi, resources, prompts, overlays, overrides, credentials, ...rest } = entry;
  const description = await descriptionOf(openapi, reading);
  const texts = {
    ...rest,
    ...(overlays !== undefined && { overlays: await overlaysOf(overlays, reading) }),
    ...(overrides !== undefined && { overrides: await overridesOf(overrides, reading) }),
  };
  const contents = {
    ...(await contentsOf('resources', 'content', resources, reading)),
    ...(await contentsOf('prompts', 'template', prompts, reading)),
  };
  const all = Object.entries(jsonOf(credentials)).map(
    ([name, one]) => [name, credentialOf(name, jsonOf(one), reading)] as const,
  );
  const unsent = Object.fromEntries(all.map(([name, { open }]) => [name, { ...open, keep: true }]));
  const named = all.length > 0 && { credentials: unsent };
  return {
    slug: reading.slug,
    descriptionFile: description.file,
    given: all.flatMap(([name, { keeps }]) => (keeps ? [] : [name])),
    texts: { ...texts, ...contents, ...named, ...description.sent },
    digests: {
      ...texts,
      ...Object.fromEntries(
        Object.entries(contents).map(([kind, list]) => [
          kind,
          list.map((one) => digested(one, kind === 'resources' ? 'content' : 'template')),
        ]),
      ),
      ...named,
      ...(description.sent.openapi === undefined
        ? description.sent
        : { openapi_sha256: sha256(description.sent.openapi) }),
    },
    withSecrets: async (names) => {
      const missing: Finding[] = [];
      const wanted = all.filter(([name]) => names.includes(name));
      const complete = await Promise.all(
        wanted.map(async ([name, { open, sealed }]) => {
          const members = Object.entries(sealed).map(async ([member, value]) => [
            member,
            await secretOf(value, [name, member], { ...reading, findings: missing }),
          ]);
          return [name, { ...open, ...Object.fromEntries(await Promise.all(members)) }] as const;
        }),
      );
      if (missing.length > 0) throw secretsMissing(missing);
      return { ...unsent, ...Object.fromEntries(complete) };
    },
  };
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const digested = (content: Json, text: string): Json => {
  const { [text]: sent, ...others } = content;
  return typeof sent === 'string' ? { ...others, sha256: sha256(sent) } : content;
};

interface Described {
  readonly file: string | undefined;
  readonly sent: { readonly openapi?: string; readonly openapi_url?: string };
}

const descriptionOf = async (openapi: unknown, reading: Reading): Promise<Described> => {
  const { context, findings, file, slug } = reading;
  const url = textOf(jsonOf(openapi).url);
  if (url !== undefined && Object.keys(jsonOf(openapi)).length === 1) {
    return { file: undefined, sent: { openapi_url: url } };
  }
  if (typeof openapi !== 'string' || openapi === '') {
    findings.push(
      fault(file.place(slug, ['openapi']), [
        openapi === undefined ? '`openapi` is missing' : 'neither a file nor `{ url: … }`',
        'Name the file of the description, relative to this one.',
      ]),
    );
    return { file: undefined, sent: {} };
  }
  const path = beside(file, openapi);
  reading.onFile(path);
  const choices = { root: undefined, 'fetch-refs': false, strict: false, onFile: reading.onFile };
  try {
    const { json } = await descriptionFrom(context, path, choices);
    return { file: path, sent: { openapi: String(json.openapi) } };
  } catch (error) {
    findings.push(...asFindings(error, file.place(slug, ['openapi'])));
    return { file: path, sent: {} };
  }
};

const beside = ({ path }: ServersFile, named: string): string => resolve(dirname(path), named);

/** Findings for a broken file, at the place that names it. @throws errors that are no Failure */
const asFindings = (error: unknown, where: string): readonly Finding[] => {
  if (!(error instanceof Failure)) throw error;
  const more = (error.details.findings ?? []).map((one) => `${one.where}: ${one.what} ${one.hint}`);
  return [fault(where, [error.message, more.join(' ')])];
};

const FILE = 'file';

/** Text of the file if the value is a file reference. */
const fileText = async (
  value: unknown,
  at: readonly string[],
  reading: Reading,
): Promise<string | undefined> => {
  const named = textOf(jsonOf(value)[FILE]);
  if (named === undefined) return undefined;
  const bytes = await fileBytes(named, at, reading);
  return bytes && new TextDecoder().decode(bytes);
};

const fileBytes = async (named: string, at: readonly string[], reading: Reading) => {
  const path = beside(reading.file, named);
  reading.onFile(path);
  try {
    return await bytesOf(path);
  } catch (error) {
    reading.findings.push(...asFindings(error, reading.file.place(reading.slug, at)));
    return undefined;
  }
};

const overlaysOf = async (overlays: unknown, reading: Reading): Promise<unknown> => {
  if (!Array.isArray(overlays)) return overlays;
  return Promise.all(
    overlays.map(async (one: unknown, index) => {
      const text = await fileText(one, ['overlays', String(index)], reading);
      return text ?? (isJson(one) ? JSON.stringify(one) : one);
    }),
  );
};

const overridesOf = async (overrides: unknown, reading: Reading): Promise<unknown> => {
  const isFile = isJson(overrides) && Object.keys(overrides).join() === FILE;
  const text = isFile ? await fileText(overrides, ['overrides'], reading) : undefined;
  if (text === undefined) return overrides;
  try {
    return yamlValue(text);
  } catch (error) {
    if (!(error instanceof NotYaml)) throw error;
    const where = reading.file.place(reading.slug, ['overrides']);
    const what = `a file that is no YAML and no JSON: ${error.message}`;
    reading.findings.push(fault(where, [what, 'Mend it.']));
    return {};
  }
};

/** Reads the files of resources or prompts; binary content becomes base64. */
const contentsOf = async (
  kind: 'resources' | 'prompts',
  text: 'content' | 'template',
  listed: unknown,
  reading: Reading,
): Promise<Readonly<Record<string, readonly Json[]>>> => {
  if (listed === undefined) return {};
  if (!Array.isArray(listed)) {
    reading.findings.push(
      fault(reading.file.place(reading.slug, [kind]), ['no list', 'Begin each with a hyphen.']),
    );
    return {};
  }
  const all = await Promise.all(
    listed.map(async (one: unknown, index): Promise<Json> => {
      const { file: named, ...others } = jsonOf(one);
      if (typeof named !== 'string') return jsonOf(one);
      const bytes = await fileBytes(named, [kind, String(index), FILE], reading);
      if (!bytes) return others;
      const buffer = Buffer.from(bytes);
      const decoded = buffer.toString('utf8');
      const isText = Buffer.from(decoded).equals(buffer);
      return {
        ...others,
        [text]: isText ? decoded : buffer.toString('base64'),
        ...(!isText && { encoding: 'base64' }),
      };
    }),
  );
  return { [kind]: all };
};

interface ReadCredential {
  readonly open: Json;
  readonly sealed: Json;
  readonly keeps: boolean;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);
}

/** Members that the service stores apart, by kind of credential, and whether each is secret. */
const SEALED: ReadonlyMap<string, ReadonlyMap<string, boolean>> = new Map(
  Object.entries(SEALED_MEMBERS).map(([kind, members]) => [
    kind,
    new Map(Object.entries(members).map(([name, isSecret]) => [snake(name), isSecret])),
  ]),
);

const credentialOf = (name: string, said: Json, reading: Reading): ReadCredential => {
  const { keep, ...members } = said;
  const secret = SEALED.get(String(members.type)) ?? new Map<string, boolean>();
  const { open = [], sealed = [] } = Object.groupBy(Object.entries(members), ([member]) =>
    secret.has(member) ? 'sealed' : 'open',
  );
  for (const [member, value] of sealed) {
    const where = reading.file.place(reading.slug, ['credentials', name, member]);
    if (keep === true) {
      reading.findings.push(
        fault(where, ['a secret beside `keep: true`', 'Say one of the two: keep it, or give it.']),
      );
    } else if (secret.get(member) === true && hasLiteral(value)) {
      reading.findings.push(
        fault(where, [
          'a secret in the file',
          `Write \`${member}: { env: NAME }\` or \`${member}: { file: PATH }\`, or \`keep: true\` for the one that is set.`,
        ]),
      );
    }
  }
  return {
    open: Object.fromEntries(open),
    sealed: Object.fromEntries(sealed),
    keeps: keep === true,
  };
};

const isReference = (value: unknown): boolean =>
  isJson(value) &&
  ['env', FILE].includes(Object.keys(value).join()) &&
  typeof Object.values(value)[0] === 'string';

/** A map's members may be literal, unless their names sound secret. */
const hasLiteral = (value: unknown): boolean =>
  isReference(value)
    ? false
    : !isJson(value) ||
      Object.entries(value).some(([name, one]) => SECRET_NAME.test(name) && !isReference(one));

const SECRET_NAME = /pass|secret|token|key|pin\b/i;

const secretOf = async (
  value: unknown,
  [name = '', member = '']: readonly string[],
  reading: Reading,
): Promise<unknown> => {
  if (isReference(value)) return referredTo(jsonOf(value), [name, member], reading);
  if (!isJson(value)) return value;
  const members = Object.entries(value).map(async ([key, one]) => [
    key,
    isReference(one) ? await referredTo(jsonOf(one), [name, member], reading) : one,
  ]);
  return Object.fromEntries(await Promise.all(members));
};

/** Only own members count: `constructor` is no variable. */
const variable = ({ context }: Reading, name: string): string | undefined =>
  member(context.world.environment, name);

const referredTo = async (
  { env, file: named }: Json,
  [name = '', member = '']: readonly string[],
  reading: Reading,
): Promise<unknown> => {
  const at = ['credentials', name, member];
  const text =
    typeof env === 'string' ? variable(reading, env) : await fileText({ file: named }, at, reading);
  if (text === undefined || text === '') {
    if (typeof env === 'string') {
      const where = reading.file.place(reading.slug, at);
      reading.findings.push(fault(where, [`${env} is not set`, 'Set it where this runs.']));
    }
    return undefined;
  }
  try {
    return secretIn(member, text);
  } catch (error) {
    if (!(error instanceof UnusableSecret)) throw error;
    const what = `${typeof env === 'string' ? env : `the file ${String(named)}`}: ${error.message}`;
    const where = reading.file.place(reading.slug, at);
    reading.findings.push(fault(where, [what, SECRET_HINTS.get(member) ?? 'Give it as it is.']));
    return undefined;
  }
};

const SECRET_HINTS: ReadonlyMap<string, string> = new Map([
  ['private_jwk', 'Give the private key as a JSON Web Key.'],
]);

const secretsMissing = (findings: readonly Finding[]): Failure =>
  new Failure(1, 'secret_missing', 'A secret is missing or unusable; nothing was changed.', {
    findings,
  });
