import {
  CREDENTIAL_STORES,
  type CredentialStore,
} from '../../layers/credentials/rules/credential-stores.ts';
import type { EmbeddedAws } from '../aws/index.ts';
import { StartRefused } from './start-refused.ts';

export interface CredentialStores {
  readonly store: CredentialStore;
  readonly former: CredentialStore | undefined;
}

/** Those that the settings name, or those of a new stage. @throws StartRefused for one that is named twice */
export const credentialStoresOf = (
  operator: {
    readonly CREDENTIAL_STORE?: string;
    readonly CREDENTIAL_STORE_FORMER?: string;
  } = {},
): CredentialStores => {
  const known = (text: string | undefined) => CREDENTIAL_STORES.find((store) => store === text);
  const { CREDENTIAL_STORE: store, CREDENTIAL_STORE_FORMER: former } = operator;
  const stores = { store: known(store) ?? CREDENTIAL_STORES[0], former: known(former) };
  if (stores.store !== stores.former) return stores;
  throw new StartRefused(
    `HOSTED_MCP_CREDENTIAL_STORE_FORMER must be another store than the one in use, ${stores.store}.`,
  );
};

/** Reads the name of a store, or nothing. @throws Error */
export const readCredentialStore = (text: string): void => {
  if (text === '' || CREDENTIAL_STORES.some((store) => store === text)) return;
  throw new Error(`it is one of ${CREDENTIAL_STORES.join(', ')}`);
};

/**
 * What CloudFormation refuses of a stage: a change that leaves credentials where nothing reads them.
 *
 * @param table - of envelopes
 * @throws StartRefused
 */
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
