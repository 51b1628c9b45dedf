import {
  CREDENTIAL_STORES,
  type CredentialStore,
  readCredentialStore,
  readFormerCredentialStore,
} from '../../layers/credentials/rules/credential-stores.ts';
import type { EmbeddedAws } from '../aws/index.ts';
import { textsOf } from '../../lib/stage/variables.ts';
import type { LocalSettings } from './settings.ts';
import { StartRefused } from './start-refused.ts';

export interface CredentialStores {
  readonly store: CredentialStore;
  readonly former: CredentialStore | undefined;
}

/** Stores that the settings name, or those of a new stage. @throws StartRefused if one is named twice */
export const credentialStoresOf = (settings: LocalSettings = {}): CredentialStores => {
  const { CREDENTIAL_STORE, CREDENTIAL_STORE_FORMER } = { ...textsOf({}), ...settings };
  const store = readCredentialStore(CREDENTIAL_STORE);
  const former = readFormerCredentialStore(CREDENTIAL_STORE_FORMER);
  if (store !== former) return { store, former };
  throw new StartRefused(
    `HOSTED_MCP_CREDENTIAL_STORE_FORMER must be another store than the one in use, ${store}.`,
  );
};

/** Refuses credentials that nothing reads, as CloudFormation does. @param table - of envelopes @throws StartRefused */
export const refuseStrandedCredentials = async (
  aws: Pick<EmbeddedAws, 'isEmpty' | 'secrets'>,
  { store, former }: CredentialStores,
  table: string,
): Promise<void> => {
  const empty: Readonly<Record<CredentialStore, () => Promise<boolean>>> = {
    envelope: () => aws.isEmpty(table),
    'secrets-manager': async () => aws.secrets().length === 0,
  };
  for (const other of CREDENTIAL_STORES) {
    if (other === store || other === former || (await empty[other]())) continue;
    throw new StartRefused(
      `The data folder has credentials in the store ${other}: set HOSTED_MCP_CREDENTIAL_STORE_FORMER=${other}, ` +
        'or HOSTED_MCP_CREDENTIAL_STORE if they are to stay there.',
    );
  }
};
