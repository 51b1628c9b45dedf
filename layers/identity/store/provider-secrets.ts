import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { DataKeys } from '../../credentials/store/envelopes.ts';
import { CredentialUnavailable } from '../../credentials/rules/credential-access.ts';
import { sealText, unsealText } from '../../credentials/store/sealing.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';
import { providerSecretKey } from '../../platform/dynamodb/keys.ts';
import type { Random } from '../../platform/system/random.ts';

/** Client, and the only origin that its secret may be sent to. */
export interface SecretPlace {
  readonly provider: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly tokenOrigin: string;
}

const bytes = z.instanceof(Uint8Array);
const Item = z.object({ sealed: bytes, nonce: bytes, key: bytes });

/**
 * Client secrets for identity providers, each encrypted with AES-256-GCM under its own data key. Issuer, client and
 * origin of the token endpoint are authenticated data: a list with another endpoint cannot decrypt them.
 */
export const dynamoProviderSecrets = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  keys: DataKeys,
  random: Pick<Random, 'secret'>,
) => {
  const items = itemsOf(dynamo, TableName, providerSecretKey, Item);
  return {
    put: async (place: SecretPlace, secret: string): Promise<void> => {
      const { key, wrapped } = await keys.generate(contextOf(place));
      await items.put(place.provider, {
        ...sealText(key, secret, boundTo(place), random),
        key: wrapped,
      });
    },

    /** @returns undefined where none is stored, or only one of another client or endpoint. @throws Fault */
    find: async (place: SecretPlace): Promise<string | undefined> => {
      const item = await items.find(place.provider);
      if (!item) return undefined;
      const key = await keys.unwrap(item.key, contextOf(place)).catch((error: unknown) => {
        if (error instanceof CredentialUnavailable) return undefined;
        throw error;
      });
      return key && unsealText(key, item, boundTo(place));
    },
  };
};

export type ProviderSecrets = ReturnType<typeof dynamoProviderSecrets>;

/** The key policy requires exactly these names. */
const contextOf = ({ provider }: SecretPlace) => ({ provider, use: 'sign-in' });

const boundTo = ({ provider, issuer, clientId, tokenOrigin }: SecretPlace): Buffer =>
  Buffer.from(JSON.stringify([provider, issuer, clientId, tokenOrigin]));
