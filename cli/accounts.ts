import { DEFAULT_BASE_URL, readBaseUrl } from './api/base-url.ts';
import { member } from '../layers/platform/rules/json/json.ts';
import { EXIT, Failure, usageFailure } from './failure.ts';
import { nearest } from './nearest.ts';
import type { Profile, Session, Settings, SettingsFile } from './settings.ts';
import { moment } from './text/time.ts';
import type { World } from './world.ts';

export interface Accounts {
  /** @throws Failure notSignedIn if there is no session, or it has ended */
  session(baseUrl: string): Promise<Session>;
  email(baseUrl: string): Promise<string | undefined>;
  use(baseUrl: string): Promise<void>;
  /** Stores a session, and the token by which the service recognizes this machine; makes the service the default. */
  keep(baseUrl: string, session: Session, deviceToken?: string): Promise<void>;
  /** Token from an earlier login with this e-mail address. */
  deviceToken(baseUrl: string, email: string): Promise<string | undefined>;
  clientId(baseUrl: string): Promise<string | undefined>;
  keepClient(baseUrl: string, clientId: string): Promise<void>;
  /** @returns whether there was a session, ended or not */
  forget(baseUrl: string): Promise<boolean>;
  readonly profile: string | undefined;
}

/** @param profile - without one, each service has one session */
export const accountsIn = (
  file: SettingsFile,
  { now }: Pick<World, 'now'>,
  profile?: string,
): Accounts => {
  const sessionAt = (settings: Settings, baseUrl: string): Session | undefined => {
    if (profile === undefined) return settings.sessions[baseUrl];
    const known = profileIn(settings, profile);
    return known?.url === baseUrl ? known.session : undefined;
  };
  /** Settings in which the service is the default. */
  const used = (given: Settings, url: string): Settings => {
    const { profile: _, ...settings } = given;
    if (profile === undefined) return { ...settings, url };
    const before = profileIn(settings, profile);
    const known = before?.url === url ? before : { url };
    return { ...settings, profiles: { ...settings.profiles, [profile]: known }, profile };
  };
  const withSession = (settings: Settings, url: string, session: Session | undefined): Settings => {
    if (profile === undefined) {
      const { [url]: _, ...others } = settings.sessions;
      return { ...settings, sessions: { ...others, ...(session && { [url]: session }) } };
    }
    const known = { url, ...(session && { session }) };
    return { ...settings, profiles: { ...settings.profiles, [profile]: known } };
  };

  return {
    profile,
    session: async (baseUrl) => {
      const session = sessionAt(await file.read(), baseUrl);
      const at = profile === undefined ? baseUrl : `${baseUrl} (profile ${profile})`;
      if (!session?.token) throw notSignedIn(`You are not signed in at ${at}.`);
      if (session.expiresAt > now()) return session;
      throw notSignedIn(`Your session at ${at} ended at ${moment(session.expiresAt)}.`);
    },
    email: async (baseUrl) => sessionAt(await file.read(), baseUrl)?.email,
    use: async (url) => {
      const settings = await file.read();
      const wanted = used(settings, url);
      if (JSON.stringify(wanted) !== JSON.stringify(settings)) await file.write(wanted);
    },
    keep: async (url, session, deviceToken) => {
      const { devices, ...settings } = await file.read();
      const known = { ...devices?.[url], ...(deviceToken && { [session.email]: deviceToken }) };
      await file.write({
        ...withSession(used(settings, url), url, session),
        ...(Object.keys(known).length > 0 && { devices: { ...devices, [url]: known } }),
      });
    },
    deviceToken: async (baseUrl, email) => (await file.read()).devices?.[baseUrl]?.[email],
    clientId: async (baseUrl) => member((await file.read()).clients ?? {}, baseUrl),
    keepClient: async (baseUrl, clientId) => {
      const settings = await file.read();
      await file.write({ ...settings, clients: { ...settings.clients, [baseUrl]: clientId } });
    },
    forget: async (baseUrl) => {
      const settings = await file.read();
      if (!sessionAt(settings, baseUrl)) return false;
      await file.write(withSession(settings, baseUrl, undefined));
      return true;
    },
  };
};

export interface Named {
  readonly url: string | undefined;
  readonly profile: string | undefined;
}

export interface Service {
  readonly baseUrl: string;
  readonly profile: string | undefined;
  /** False for the default service, which nobody named. */
  readonly isNamed: boolean;
}

/**
 * Finds the service by command line, HOSTED_MCP_PROFILE and HOSTED_MCP_URL, the profile in use, or the last login.
 * @param remembers - whether a profile given together with a URL is created, or moved to it
 * @throws Failure usage
 */
export const serviceOf = (
  settings: Settings,
  { environment }: Pick<World, 'environment'>,
  typed: Named,
  remembers = false,
): Service => {
  const { HOSTED_MCP_URL, HOSTED_MCP_PROFILE } = environment;
  const isTyped = typed.url !== undefined || typed.profile !== undefined;
  const url = isTyped ? typed.url : HOSTED_MCP_URL || undefined;
  const named = isTyped ? typed.profile : HOSTED_MCP_PROFILE || undefined;
  const given =
    url === undefined ? undefined : readBaseUrl(url, isTyped ? '--url' : 'HOSTED_MCP_URL');

  const isNamed = url !== undefined || named !== undefined;
  const profile = isNamed ? named : settings.profile;
  if (profile === undefined) {
    return { baseUrl: given ?? usualUrl(settings), profile, isNamed };
  }
  if (given !== undefined && remembers) {
    return { baseUrl: given, profile: readName(profile), isNamed };
  }
  const known = profileIn(settings, profile);
  if (!known) throw noProfile(settings, profile);
  const baseUrl = readBaseUrl(known.url, `The URL of the profile ${profile}`);
  if (given !== undefined && given !== baseUrl) {
    throw usageFailure(
      `The profile ${profile} is of ${baseUrl}, not of ${given}.`,
      'Give one of the two; or move the profile: npx --no-install hosted-mcp login',
    );
  }
  return { baseUrl, profile, isNamed };
};

/** URL for commands that name no service, while no profile is in use. @throws Failure usage */
export const usualUrl = ({ url }: Pick<Settings, 'url'>): string =>
  url === undefined ? DEFAULT_BASE_URL : readBaseUrl(url, 'The URL of the last login');

/** Only own properties count: a profile named `constructor` is not found. */
export const profileIn = (
  { profiles = {} }: Pick<Settings, 'profiles'>,
  name: string,
): Profile | undefined => (Object.hasOwn(profiles, name) ? profiles[name] : undefined);

/** Allows names that neither shells nor JSON misread. @throws Failure usage */
const readName = (name: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageFailure(
    `"${name}" cannot be the name of a profile.`,
    'A name has letters, digits, dots, dashes and underscores, 64 at most, and begins with a letter or digit.',
  );
};

export const noProfile = ({ profiles = {} }: Settings, name: string): Failure => {
  const names = Object.keys(profiles);
  const near = nearest(name, names);
  const others = names.length === 0 ? '' : 'npx --no-install hosted-mcp profile ls shows all; ';
  return usageFailure(
    `There is no profile "${name}".`,
    `${near === undefined ? '' : `Did you mean ${near}? `}${others}login --profile NAME --url URL makes one.`,
  );
};

const notSignedIn = (message: string): Failure =>
  new Failure(EXIT.notSignedIn, 'not_signed_in', message, {
    hint: 'Sign in: npx --no-install hosted-mcp login',
  });
