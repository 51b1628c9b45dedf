import { DEFAULT_BASE_URL } from './api/base-url.ts';
import { EXIT, Failure } from './failure.ts';
import type { Session, SettingsFile } from './settings.ts';
import { moment } from './text/time.ts';
import type { World } from './world.ts';

/** Where this person is signed in. */
export interface Accounts {
  /** The session at a service. @throws Failure notSignedIn if there is none, or it has ended */
  session(baseUrl: string): Promise<Session>;
  /** The e-mail address of the last login at a service. */
  email(baseUrl: string): Promise<string | undefined>;
  /** Makes a service the one that is used when none is named. */
  use(baseUrl: string): Promise<void>;
  /** The same, with a session there, and by what the service knows this machine again. */
  keep(baseUrl: string, session: Session, deviceToken?: string): Promise<void>;
  /** What an earlier login of this e-mail address brought. */
  deviceToken(baseUrl: string, email: string): Promise<string | undefined>;
  /** @returns whether there was a session, ended or not */
  forget(baseUrl: string): Promise<boolean>;
}

/**
 * @param typedUrl - the service as the command line named it; undefined where it did not
 */
export const accountsIn = (
  file: SettingsFile,
  { now }: Pick<World, 'now'>,
  typedUrl?: string,
): Accounts => ({
  session: async (baseUrl) => {
    const session = (await file.read()).sessions[baseUrl];
    if (!session?.token) throw notSignedIn(`You are not signed in at ${baseUrl}.`, typedUrl);
    if (session.expiresAt > now()) return session;
    const ended = `Your session at ${baseUrl} ended at ${moment(session.expiresAt)}.`;
    throw notSignedIn(ended, typedUrl);
  },
  email: async (baseUrl) => (await file.read()).sessions[baseUrl]?.email,
  use: async (url) => {
    const settings = await file.read();
    if (settings.url !== url) await file.write({ ...settings, url });
  },
  keep: async (url, session, deviceToken) => {
    const { sessions, devices, ...settings } = await file.read();
    const known = { ...devices?.[url], ...(deviceToken && { [session.email]: deviceToken }) };
    await file.write({
      ...settings,
      url,
      sessions: { ...sessions, [url]: session },
      ...(Object.keys(known).length > 0 && { devices: { ...devices, [url]: known } }),
    });
  },
  deviceToken: async (baseUrl, email) => (await file.read()).devices?.[baseUrl]?.[email],
  forget: async (baseUrl) => {
    const { sessions, ...settings } = await file.read();
    const { [baseUrl]: ours, ...others } = sessions;
    if (!ours) return false;
    await file.write({ ...settings, sessions: others });
    return true;
  },
});

/** The base URL where none is given. */
export const usualBaseUrl = async (file: SettingsFile): Promise<string> =>
  (await file.read()).url ?? DEFAULT_BASE_URL;

const notSignedIn = (message: string, typedUrl: string | undefined): Failure =>
  new Failure(EXIT.notSignedIn, 'not_signed_in', message, {
    hint: `Sign in: npx hosted-mcp login${typedUrl === undefined ? '' : ` --url ${typedUrl}`}`,
  });
