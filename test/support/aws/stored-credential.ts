import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CredentialVault } from '../../../layers/credentials/store/stores.ts';
import { committed } from './committed.ts';

/** Stores a version of a credential by itself, as if a deployment came to point to it. @returns whether it is stored */
export const storedCredential = async (
  dynamo: DynamoDBDocumentClient,
  vault: Pick<CredentialVault, 'put'>,
  ...[ref, credential]: Parameters<CredentialVault['put']>
): Promise<boolean> => {
  const stored = await vault.put(ref, credential);
  return typeof stored === 'object' ? committed(dynamo, stored) : stored === 'stored';
};
