import { isObject } from '../../../platform/rules/json/json.ts';
import { clientsWith } from '../../../platform/rules/mcp-clients.ts';

/**
 * Whether all answers of a client that registers go to hosted clients, so that whoever registers it gains nothing but
 * that those get them.
 *
 * @param metadata - of the registration, whatever it is
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

/** With one plain segment behind it, since a path could lead out of a folder. */
const hasBeginning = (uri: string, beginning: string): boolean =>
  uri.startsWith(beginning) &&
  !['/', '?', '#', '\\', '%', '.'].some((one) => uri.slice(beginning.length).includes(one));
