import { isObject } from '../../../platform/rules/json/json.ts';

/** A client that others run for many people, and so from few addresses. */
interface HostedClient {
  /** As people call it. */
  readonly name: string;
  /** Where people come back to; what ends with `*` begins so, and goes on with an id of the client's own. */
  readonly redirectUris: readonly string[];
}

/**
 * Source: https://docs.zuora.com/zuora-ai/zuora-mcp-server/zuora-mcp-server/configure-zuora-remote-mcp-server/redirect-uris-by-mcp-client;
 * https://developers.openai.com/apps-sdk/build/auth; https://cursor.com/docs/mcp (each read in November 2026).
 */
const HOSTED_CLIENTS: readonly HostedClient[] = [
  {
    name: 'Claude',
    redirectUris: [
      'https://claude.ai/api/mcp/auth_callback',
      'https://claude.com/api/mcp/auth_callback',
    ],
  },
  {
    name: 'ChatGPT',
    redirectUris: [
      'https://chatgpt.com/connector_platform_oauth_redirect',
      'https://chatgpt.com/connector/oauth/*',
    ],
  },
  { name: 'Cursor', redirectUris: ['https://www.cursor.com/agents/mcp/oauth/callback'] },
  { name: 'n8n', redirectUris: ['https://oauth.n8n.cloud/oauth2/callback'] },
];

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
  HOSTED_CLIENTS.some(({ redirectUris }) =>
    redirectUris.some((one) =>
      one.endsWith('*') ? hasBeginning(uri, one.slice(0, -1)) : uri === one,
    ),
  );

/** With one plain segment behind it, since a path could lead out of a folder. */
const hasBeginning = (uri: string, beginning: string): boolean =>
  uri.startsWith(beginning) &&
  !['/', '?', '#', '\\', '%', '.'].some((one) => uri.slice(beginning.length).includes(one));
