import type { OwnerApi } from './owner.ts';

/** Long enough to read everything else that the start has printed. */
const SECONDS = 600;

/** A one-time link that signs in the owner's browser; undefined if the service gives none. */
export const consoleLink = async (api: OwnerApi): Promise<string | undefined> => {
  const { body } = await api('POST', '/sessions/console-links', { expires_in: SECONDS });
  return (body as { readonly url?: string }).url;
};
