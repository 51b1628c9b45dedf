import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EXIT, Failure } from './failure.ts';
import { replaceFile } from './files.ts';
import { isJson, jsonOf, numberOf, parsed, stringOf } from './json.ts';
import { codeOf, decodedText, inWords } from './text/words.ts';
import type { World } from './world.ts';

export interface Session {
  readonly token: string;
  readonly email: string;
  readonly expiresAt: number;
}

export interface Profile {
  readonly url: string;
  readonly session?: Session;
}

type Devices = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Settings {
  /** Base URL that is used when none is given and no profile is in use. */
  readonly url?: string;
  /** Sessions by base URL, so that a token is sent only to the service that gave it. */
  readonly sessions: Readonly<Record<string, Session>>;
  /** Profiles by name, each with its URL and session. */
  readonly profiles?: Readonly<Record<string, Profile>>;
  readonly profile?: string;
  /** Tokens by base URL and e-mail, by which services recognize this machine. Worthless without the password. */
  readonly devices?: Devices;
  /** Public OAuth client ids that `doctor` has registered, by base URL. */
  readonly clients?: Readonly<Record<string, string>>;
}

export interface SettingsFile {
  readonly path: string;
  read(): Promise<Settings>;
  /** Replaces the whole file, readable by its owner only. */
  write(settings: Settings): Promise<void>;
}

/** Settings are in `HOSTED_MCP_CONFIG`, or `hosted-mcp/config.json`. Source: XDG Base Directory Specification. */
export const settingsFile = ({
  environment,
  home,
}: Pick<World, 'environment' | 'home'>): SettingsFile => {
  const folder = environment['XDG_CONFIG_HOME'] || join(home, '.config');
  const path = resolve(environment['HOSTED_MCP_CONFIG'] || join(folder, 'hosted-mcp/config.json'));
  return {
    path,
    read: async () => settingsOf(parsed(await textAt(path))),
    write: async (settings) => {
      // The file is replaced atomically, so that a token is never readable by others, nor half written.
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await replaceFile(path, `${JSON.stringify(settings, null, 2)}\n`, 0o600);
      } catch (error) {
        throw unusable(path, error);
      }
    },
  };
};

const textAt = async (path: string): Promise<string> => {
  try {
    // An editor may have added a byte order mark.
    return decodedText(await readFile(path)) ?? '';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw unusable(path, error);
  }
};

const unusable = (path: string, error: unknown): Failure =>
  new Failure(
    EXIT.refused,
    'config_unusable',
    `The file ${path} cannot be used: ${inWords(error)}.`,
    {
      hint: 'Set HOSTED_MCP_CONFIG to a file that you may read and write.',
    },
  );

/** A damaged file only means that nobody is signed in. */
const settingsOf = (kept: unknown): Settings => {
  const { url, sessions, devices, clients, profile, ...others } = jsonOf(kept);
  const known = Object.entries(jsonOf(sessions)).flatMap(([baseUrl, session]) =>
    isJson(session) ? [[baseUrl, sessionOf(session)] as const] : [],
  );
  const profiles = profilesOf(jsonOf(others.profiles));
  const isKnown = typeof profile === 'string' && Object.hasOwn(profiles, profile);
  return {
    ...(typeof url === 'string' && { url }),
    sessions: Object.fromEntries(known),
    ...(Object.keys(profiles).length > 0 && { profiles }),
    ...(isKnown && { profile }),
    ...(isJson(devices) && { devices: devicesOf(devices) }),
    ...(isJson(clients) && { clients: tokensOf(clients) }),
  };
};

const profilesOf = (kept: Readonly<Record<string, unknown>>): Readonly<Record<string, Profile>> =>
  Object.fromEntries(
    Object.entries(kept).flatMap(([name, profile]) => {
      const { url, session } = jsonOf(profile);
      if (typeof url !== 'string') return [];
      return [[name, { url, ...(isJson(session) && { session: sessionOf(session) }) }] as const];
    }),
  );

const devicesOf = (kept: Readonly<Record<string, unknown>>): Devices =>
  Object.fromEntries(Object.entries(kept).map(([baseUrl, tokens]) => [baseUrl, tokensOf(tokens)]));

const tokensOf = (kept: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(jsonOf(kept)).flatMap(([email, token]) =>
      typeof token === 'string' ? [[email, token] as const] : [],
    ),
  );

const sessionOf = (kept: Readonly<Record<string, unknown>>): Session => ({
  token: stringOf(kept.token),
  email: stringOf(kept.email),
  expiresAt: numberOf(kept.expiresAt) ?? 0,
});
