import { readClientDocumentHosts } from '../../layers/oauth/rules/clients/client-document-hosts.ts';
import { readIdentityProviders } from '../../layers/oauth/rules/tokens/identity-providers.ts';
import { readLogLevel } from '../../layers/platform/rules/log-level.ts';
import { readSwitch } from '../../layers/platform/rules/switch.ts';
import { readCredentialStore } from './credential-stores.ts';
import { messageOf, StartRefused } from './start-refused.ts';

/** Variables of functions that an operator sets in `config/<stage>.json`, and here with `HOSTED_MCP_` before them. */
const READERS = {
  SERVER_CARDS: readSwitch,
  LOG_LEVEL: readLogLevel,
  IDENTITY_PROVIDERS: readIdentityProviders,
  CLIENT_DOCUMENT_HOSTS: readClientDocumentHosts,
  CREDENTIAL_STORE: readCredentialStore,
  CREDENTIAL_STORE_FORMER: readCredentialStore,
} as const;

/** Texts that are known to be valid; empty where nothing is set. */
export type OperatorSettings = Readonly<Record<keyof typeof READERS, string>>;

/** @throws StartRefused for one that cannot be used */
export const operatorSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): OperatorSettings =>
  Object.fromEntries(
    Object.entries(READERS).map(([name, read]) => [
      name,
      checked(`HOSTED_MCP_${name}`, environment, read),
    ]),
  ) as Record<keyof typeof READERS, string>;

/** A variable's text, which its reader can read. */
export const checked = (
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  read: (text: string) => unknown,
): string => {
  const text = environment[name] ?? '';
  try {
    read(text);
    return text;
  } catch (error) {
    throw new StartRefused(`${name} cannot be used: ${messageOf(error)}.`);
  }
};
