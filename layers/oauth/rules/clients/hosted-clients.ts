import { isObject } from '../../../platform/rules/json/json.ts';
import { clientsWith } from '../../../platform/rules/mcp-clients.ts';

/**
 * Whether all redirect URIs belong to known hosted clients: then a false registration gains nothing, since the
 * answers go to those clients.
 * @param metadata - of the registration, unchecked
 */
export const isHosted = (metadata: unknown): boolean => {
  const uris = isObject(metadata) ? metadata['redirect_uris'] : undefined;
  return Array.isArray(uris) && uris.length > 0 && uris.every(isOfHostedClient);
};

const isOfHostedClient = (uri: unknown): boolean =>
  typeof uri === 'string' &&
  clientsWith('hosted').some(({ hosted }) =>
    hosted.redirectUris.some((one) =>
      one.endsWith('*') ? hasBeginning(uri, one.slice(0, -1)) : uri === one,
    ),
  );

/** Only one plain path segment may follow: `..` could leave the folder. */
const hasBeginning = (uri: string, beginning: string): boolean =>
  uri.startsWith(beginning) &&
  !['/', '?', '#', '\\', '%', '.'].some((one) => uri.slice(beginning.length).includes(one));
