import type { Owner } from './data-folder.ts';

/** Long enough to read what else the start has printed. */
const SECONDS = 600;

/**
 * A one-time link by which the owner's browser is signed in, asked for as anybody asks: with the password.
 *
 * @returns undefined where the service gives none, as when the owner has chosen another password
 */
export const consoleLink = async (
  baseUrl: string,
  { email, password }: Owner,
): Promise<string | undefined> => {
  const sessions = `${baseUrl}/mcp-management/sessions`;
  const { access_token: token } = await post(sessions, { email, password });
  if (token === undefined) return undefined;
  const { url } = await post(
    `${sessions}/console-links`,
    { expires_in: SECONDS },
    { authorization: `Bearer ${token}` },
  );
  return url;
};

interface Answer {
  readonly access_token?: string;
  readonly url?: string;
}

const post = async (
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Answer;
};
