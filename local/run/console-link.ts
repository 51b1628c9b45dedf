import type { OwnerApi } from './owner.ts';

/** Long enough to read what else the start has printed. */
const SECONDS = 600;

/** A one-time link by which the owner's browser is signed in; undefined where the service gives none. */
export const consoleLink = async (api: OwnerApi): Promise<string | undefined> => {
  const { body } = await api('POST', '/sessions/console-links', { expires_in: SECONDS });
  return (body as { readonly url?: string }).url;
};
