import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { CredentialVersions } from './stores.ts';
import { credentialKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

const Envelope = z.object({ version: z.string() });
const Item = z.object({ current: Envelope, previous: z.exactOptional(Envelope) });

/** Versions in the table, for functions that may not decrypt them. */
export const envelopeVersions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): CredentialVersions => {
  const items = itemsOf(dynamo, TableName, credentialKey, Item);
  return {
    find: async (place) => {
      const item = await items.find(place);
      if (!item) return undefined;
      const { current, previous } = item;
      const versions = [current, ...(previous ? [previous] : [])].map(({ version }) => version);
      return { versions, isDeleted: false };
    },
  };
};
