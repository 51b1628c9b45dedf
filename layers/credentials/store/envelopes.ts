import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type CredentialRef, CredentialUnavailable } from '../rules/credential-access.ts';
import { MAIN } from '../rules/credential-name.ts';
import type { StoredCredential } from '../../target/rules/credential.ts';
import type { CredentialReader, CredentialVault } from './stores.ts';
import type { Random } from '../../platform/system/random.ts';
import { sealText, unsealText } from './sealing.ts';
import { parseCredential } from './credential-schema.ts';
import { credentialKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

export interface DataKeys {
  generate(
    context: Readonly<Record<string, string>>,
  ): Promise<{ readonly key: Uint8Array; readonly wrapped: Uint8Array }>;
  unwrap(wrapped: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array>;
}

const bytes = z.instanceof(Uint8Array);

const Envelope = z.object({
  version: z.string(),
  /** Authenticated with the ciphertext; absent in envelopes from before there were origins. */
  origins: z.exactOptional(z.array(z.string())),
  key: bytes,
  nonce: bytes,
  sealed: bytes,
});
type Envelope = z.output<typeof Envelope>;

/** The previous version stays readable while a deployment may still use it. */
const Item = z.object({ current: Envelope, previous: z.exactOptional(Envelope) });

const itemsIn = (dynamo: DynamoDBDocumentClient, TableName: string) =>
  itemsOf(dynamo, TableName, credentialKey, Item);

/**
 * Credentials in a table, each encrypted with AES-256-GCM under a data key of its own. Deployment, first owner,
 * version, name and origins are authenticated, so that an item copied to another deployment or name does not open.
 * Source: docs/decisions/credentials.md, "Credentials".
 */
export const envelopeVault = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  keys: DataKeys,
  random: Pick<Random, 'secret'>,
): CredentialVault => {
  const items = itemsIn(dynamo, TableName);

  return {
    // One transaction with the deployment's item, so that `current` is always what the deployment uses.
    put: async (ref, credential) =>
      items.changing(ref, {
        UpdateExpression: 'SET #previous = if_not_exists(#current, :new), #current = :new',
        ExpressionAttributeNames: { '#current': 'current', '#previous': 'previous' },
        ExpressionAttributeValues: { ':new': await seal(keys, random, ref, credential) },
      }),

    removing: (place) => items.removing(place),

    add: async (ref, credential) => {
      await items.update(ref, {
        UpdateExpression: 'SET #current = :new',
        ConditionExpression: 'attribute_not_exists(#current)',
        ExpressionAttributeNames: { '#current': 'current' },
        ExpressionAttributeValues: { ':new': await seal(keys, random, ref, credential) },
      });
    },

    remove: (place) => items.remove(place),
  };
};

export const envelopeReader = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  keys: DataKeys,
): CredentialReader => {
  const items = itemsIn(dynamo, TableName);

  return {
    read: async (ref) => {
      const item = await items.find(ref);
      const envelope = [item?.current, item?.previous].find((one) => one?.version === ref.version);
      return envelope && open(keys, ref, envelope);
    },
  };
};

const seal = async (
  keys: DataKeys,
  random: Pick<Random, 'secret'>,
  ref: CredentialRef,
  credential: StoredCredential,
) => {
  const { key, wrapped } = await keys.generate(contextOf(ref));
  const { nonce, sealed } = sealText(
    key,
    JSON.stringify(credential),
    boundTo(ref, credential.origins),
    random,
  );
  return {
    version: ref.version,
    origins: [...credential.origins],
    key: wrapped,
    nonce,
    sealed,
  };
};

const open = async (
  keys: DataKeys,
  ref: CredentialRef,
  { key, nonce, sealed, origins }: Envelope,
): Promise<StoredCredential> => {
  const bound = boundTo(ref, origins);
  const text = unsealText(await keys.unwrap(key, contextOf(ref)), { nonce, sealed }, bound);
  const credential = text === undefined ? undefined : parseCredential(text);
  if (!credential) throw new CredentialUnavailable('denied', 'the envelope does not open');
  return credential;
};

/** Encryption context. The key policy demands exactly these names; `use` decides who may decrypt. */
const contextOf = ({ deploymentId, sealedFor, from }: CredentialRef) => ({
  deployment_id: deploymentId,
  owner_id: sealedFor,
  ...(from === 'connections' && { use: 'connection' }),
});

/** Additional authenticated data. Without a name for `main`, as before credentials had names. */
const boundTo = (
  { deploymentId, sealedFor, version, name }: CredentialRef,
  origins: readonly string[] | undefined,
): Buffer =>
  Buffer.from(
    JSON.stringify([
      deploymentId,
      sealedFor,
      version,
      ...(origins ? [origins] : []),
      ...(name === MAIN ? [] : [name]),
    ]),
  );
